"""What the default number of threads makes of small and of large pools, compared with one thread.

Eight environments, from a step of nanoseconds to one of a fraction of a millisecond, in lockstep.
Both pools are alive in one process and step in turn. With `--json FILE` the figures are stored, one
environment may be measured after the other (`--envs`), and `--from FILE --into PAGE` measures
nothing and puts the table of all of them between the marks of a page.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import harness
from parallel_pool import EnvSpec, get_include, register
from parallel_pool.benchmarking.baselines import Task, parallel_pool

SIZES = (16, 100, 400, 4096)
GRIDWORLD = "sharing/Gridworld-v0"
ENVS = (
    GRIDWORLD,
    "classic/CartPole-v1",
    "classic/MountainCar-v0",
    "classic/Acrobot-v1",
    "classic/Taxi-v4",
    "classic/Blackjack-v1",
    "classic/TwoPlayerPong-v0",
    "atari/Pong-v5",
)
MARKS = ("<!-- sharing -->\n", "<!-- end of sharing -->\n")


def main() -> None:
    """Measures and prints a table, or shows what is stored."""
    parser = harness.timed_arguments(__doc__ or "", sizes=SIZES, rounds=15, seconds=0.1)
    parser.add_argument("--envs", nargs="+", choices=ENVS, default=list(ENVS), metavar="ID")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put the table into a page")
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="FILE", help="measure nothing: show this"
    )
    args = parser.parse_args()
    if args.source is not None:
        facts, rows = harness.stored(args.source)
    else:
        facts, rows = harness.environment(), []
        if args.json is not None and args.json.exists():
            _, rows = harness.stored(args.json)
        rows = [row for row in rows if row["environment"] not in args.envs]
        with tempfile.TemporaryDirectory() as folder:
            if GRIDWORLD in args.envs:
                register(EnvSpec(GRIDWORLD), library=compiled(Path(folder)))
            for env in args.envs:
                rows += measure(env, args.sizes, args.rounds, args.slice)
        harness.store(args.json, facts, rows)
    rows.sort(key=lambda row: (ENVS.index(row["environment"]), row["envs"]))
    harness.print_environment(facts)
    harness.print_table(COLUMNS, rows)
    if args.into is not None:
        harness.put_between(args.into, *MARKS, harness.table(COLUMNS, rows))


def compiled(folder: Path) -> Path:
    """gridworld.cpp as a plugin's library."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise SystemExit("the gridworld needs g++ or clang++; leave it out with --envs")
    target = folder / "gridworld.so"
    source = Path(__file__).parent / "gridworld.cpp"
    flags = ["-O3", "-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{get_include()}"]
    subprocess.run([compiler, *flags, source, "-o", target], check=True)
    return target


def measure(env: str, sizes: Sequence[int], rounds: int, seconds: float) -> list[harness.Row]:
    """A row for each number of environments."""
    rows = []
    for num_envs in sizes:
        harness.say(f"{env}, {num_envs} environments ...")
        builds = [
            partial(parallel_pool, Task(env, num_envs, num_threads=threads), name=str(threads))
            for threads in (1, None)
        ]
        one, default = harness.side_by_side(builds, rounds=rounds, seconds=seconds)
        pairs = zip(default.slices, one.slices, strict=True)
        ratios = sorted(mine.rate / theirs.rate for mine, theirs in pairs)
        rows.append(
            {
                "environment": env,
                "envs": num_envs,
                "one thread, steps/s": one.median,
                "default, steps/s": default.median,
                "default to one": default.ratio_to(one),
                "quartiles": [ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]],
            }
        )
    return rows


def _between(values: Any) -> str:
    return f"{values[0]:.2f} to {values[1]:.2f}"


COLUMNS = {
    "environment": str,
    "envs": harness.whole,
    "one thread, steps/s": harness.whole,
    "default, steps/s": harness.whole,
    "default to one": harness.times,
    "quartiles": _between,
}


if __name__ == "__main__":
    main()
