"""A pool of the template's batch kernel, next to the same dynamics as a plain C++ loop; one thread each.

The environment is the one that `parallel-pool new NAME --kernel batch` writes. `bare_loops/lander.cpp` is the
loop: pointers that are `__restrict` and outside of the loop, the same arithmetic and generator, the flags that
CMake gives a plugin (-O3, no -march). It has no caller: rows go nowhere, and actions are not checked.
"The kernel alone" is that loop written without branches, as the template has it. With `--source FILE` another
kernel of the same id takes the place of the template's.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import harness
from bare import BareLoop
from parallel_pool import EnvSpec, get_include, register
from parallel_pool.benchmarking.baselines import Task, parallel_pool
from parallel_pool.cli.scaffold import write_plugin

SIZES = (256, 1024, 4096, 16384)
ID = "lander/Lander-v0"


def main() -> None:
    """Measures and prints a table."""
    parser = harness.timed_arguments(__doc__ or "", sizes=SIZES, rounds=15, seconds=0.1)
    parser.add_argument("--source", type=Path, metavar="FILE", help="instead of the template's")
    args = parser.parse_args()
    facts = harness.environment()
    with tempfile.TemporaryDirectory() as folder:
        answers = {"family": "lander", "kernel": "batch", "author": "nobody"}
        written = write_plugin(answers, Path(folder)) / "src" / "lander.cpp"
        register(
            EnvSpec(ID, max_episode_steps=500), library=compiled(args.source or written, folder)
        )
        rows = [measure(num_envs, args.rounds, args.slice) for num_envs in args.sizes]
    harness.store(args.json, facts, rows)
    harness.print_environment(facts)
    harness.print_table(COLUMNS, rows)


def compiled(source: Path, folder: str) -> Path:
    """The kernel as a plugin's library, with the flags of a plugin."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise SystemExit("the kernel needs g++ or clang++")
    target = Path(folder) / "lander.so"
    flags = ["-O3", "-DNDEBUG", "-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden"]
    subprocess.run([compiler, *flags, f"-I{get_include()}", source, "-o", target], check=True)
    return target


def measure(num_envs: int, rounds: int, seconds: float) -> harness.Row:
    """A row of the table."""
    harness.say(f"{num_envs} environments ...")
    builds: list[harness.Build] = [
        partial(parallel_pool, Task(ID, num_envs, num_threads=1), name="pool"),
        partial(BareLoop, "loop", "lander", num_envs, "-march=x86-64"),
        partial(BareLoop, "kernel", "lander", num_envs, "-march=x86-64", "-DAS_THE_KERNEL"),
    ]
    pool, loop, kernel = harness.side_by_side(builds, rounds=rounds, seconds=seconds)
    ratios = sorted(
        mine.rate / theirs.rate for mine, theirs in zip(pool.slices, loop.slices, strict=True)
    )
    return {
        "environments": num_envs,
        "pool, steps/s": pool.median,
        "plain loop, steps/s": loop.median,
        "of the loop": pool.ratio_to(loop),
        "quartiles": f"{ratios[len(ratios) // 4]:.2f} to {ratios[-1 - len(ratios) // 4]:.2f}",
        "kernel alone, steps/s": kernel.median,
        "of the kernel": pool.ratio_to(kernel),
    }


COLUMNS = {
    "environments": harness.whole,
    "pool, steps/s": harness.whole,
    "plain loop, steps/s": harness.whole,
    "of the loop": harness.times,
    "quartiles": str,
    "kernel alone, steps/s": harness.whole,
    "of the kernel": harness.times,
}


if __name__ == "__main__":
    main()
