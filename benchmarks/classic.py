"""Classic control and toy text: ParallelPool, EnvPool, Gymnasium and bare loops, stepped in turn.

All of it takes about ten minutes on two idle processors. With `--json FILE` the figures are stored
after every size, and the same command goes on where it was interrupted; with `--from FILE` nothing
is measured: `--table`, `--into PAGE` and `--plot FILE` show what is stored.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import classic_figures
import harness
from bare import BareLoop
from baselines import gymnasium_vector
from parallel_pool.benchmarking.baselines import Task, parallel_pool
from parallel_pool.benchmarking.envpool import envpool

SIZES = (1, 8, 64, 1024, 16384, 131072)
THREADS = (1, 2)
SYNC_AT_MOST = 1024
"""Gymnasium's SyncVectorEnv makes some 100,000 steps a second at any size: beyond, a single call
would take longer than a slice, and building the environments minutes."""


@dataclass(frozen=True)
class Env:
    """One environment in its usual form."""

    id: str
    loop: str
    """The file in bare_loops/."""
    options: tuple[tuple[str, Any], ...] = ()
    envpool_id: str | None = None
    """Where EnvPool's differs; its rules are the same."""
    numpy_vector: bool = False
    """Whether Gymnasium has it as a vector environment written with numpy."""


ENVS = (
    Env("CartPole-v1", "cartpole", numpy_vector=True),
    Env("Pendulum-v1", "pendulum"),
    Env("MountainCar-v0", "mountain_car"),
    Env("MountainCarContinuous-v0", "mountain_car_continuous"),
    Env("Acrobot-v1", "acrobot"),
    Env("Catch-v0", "catch"),
    # EnvPool has to be told.
    Env("FrozenLake-v1", "frozen_lake", options=(("size", 4),)),
    Env("Taxi-v4", "taxi", envpool_id="Taxi-v3"),
    Env("NChain-v0", "n_chain"),
    Env("CliffWalking-v1", "cliff_walking"),
    Env("CliffWalkingSlippery-v1", "cliff_walking_slippery"),
    Env("Blackjack-v1", "blackjack"),
)


def main() -> None:
    """Measures and prints a table of everything, or shows what is stored."""
    description = (__doc__ or "").replace("%", "%%")
    parser = harness.timed_arguments(description, sizes=SIZES, rounds=5, seconds=0.2)
    known = {env.id: env for env in ENVS}
    parser.add_argument("--envs", nargs="+", choices=known, default=list(known), metavar="ID")
    parser.add_argument("--threads", type=int, nargs="+", default=list(THREADS), metavar="N")
    parser.add_argument("--table", action="store_true", help="a summary, in Markdown, at the end")
    parser.add_argument(
        "--into", type=Path, metavar="PAGE", help="put the summary between the marks of a page"
    )
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="FILE", help="measure nothing: show this"
    )
    args = parser.parse_args()
    if args.source is not None:
        facts, rows = harness.stored(args.source)
    else:
        facts, rows = harness.environment(), []
        if args.json is not None and args.json.exists():
            facts, rows = resumed(args.json, facts)
        harness.print_environment(facts)
        measure_all([known[name] for name in args.envs], args, facts, rows)
        classic_figures.print_all(rows)
        left_out = [size for size in args.sizes if size > SYNC_AT_MOST]
        if left_out:
            print(
                f"\nNot measured, as hopelessly slow: Gymnasium sync with {left_out} environments"
            )
    if args.table:
        harness.print_environment(facts)
        classic_figures.print_summary(rows)
    if args.into is not None:
        classic_figures.put_into(args.into, facts, rows)
    classic_figures.plot(args.plot, rows)


def resumed(path: Path, facts: dict[str, Any]) -> tuple[dict[str, Any], list[harness.Row]]:
    """What an interrupted run stored, if this is the same machine with the same packages."""
    before, rows = harness.stored(path)
    for what in ("cpu", "versions", "command"):
        if before[what] != facts[what]:
            raise SystemExit(
                f"{path} is of another {what} ({before[what]}), now {facts[what]}: figures of both "
                "do not belong into one table. Name another file, or remove this one"
            )
    harness.say(f"{path}: going on after {len(rows)} figures")
    return before, rows


def measure_all(
    envs: Sequence[Env], args: Any, facts: dict[str, Any], rows: list[harness.Row]
) -> None:
    """Adds to `rows` what they lack, and stores them after every size."""
    done = {(row["environment"], row["envs"]) for row in rows}
    missing = [(env, size) for env in envs for size in args.sizes if (env.id, size) not in done]
    begin = time.monotonic()
    for number, (env, size) in enumerate(missing):
        left = ""
        if number >= len(args.sizes):  # not before all sizes were seen: the last take longer
            seconds = (time.monotonic() - begin) / number * (len(missing) - number)
            left = f", about {seconds / 60:.1f} min left"
        harness.say(f"[{number + 1}/{len(missing)}{left}] {env.id}, {size} environments ...")
        rows += measure(env, size, args.threads, args.rounds, args.slice)
        harness.store(args.json, facts, rows)


def measure(
    env: Env, num_envs: int, threads: Sequence[int], rounds: int, seconds: float
) -> list[harness.Row]:
    """The rows of one number of environments. EnvPool's is the faster of its thread counts."""
    task = Task(f"classic/{env.id}", num_envs)
    builds: list[harness.Build] = []
    if num_envs <= SYNC_AT_MOST:
        builds.append(partial(gymnasium_vector, task, "sync", name=classic_figures.SYNC))
    if env.numpy_vector:
        builds.append(
            partial(gymnasium_vector, task, "vector_entry_point", name=classic_figures.NUMPY)
        )
    for count in threads:
        if count > num_envs:
            continue
        task = Task(f"classic/{env.id}", num_envs, num_threads=count, options=dict(env.options))
        theirs = Task(
            f"classic/{env.envpool_id or env.id}",
            num_envs,
            num_threads=count,
            options=dict(env.options),
        )
        suffix = f"{count} thread{'s' * (count > 1)}"
        builds.append(partial(envpool, theirs, name=f"EnvPool, {suffix}"))
        for view in ("gymnasium", "gym"):
            name = f"ParallelPool {view}, {suffix}"
            builds.append(partial(parallel_pool, task, view=view, name=name))
    builds.append(partial(BareLoop, classic_figures.BARE, env.loop, num_envs))
    timings = harness.side_by_side(builds, rounds=rounds, seconds=seconds)

    rival = harness.fastest(each for each in timings if each.name.startswith("EnvPool"))
    references = {
        "to EnvPool": rival,
        "to sync": _named(timings, classic_figures.SYNC),
        "to numpy": _named(timings, classic_figures.NUMPY),
        "of bare loop": _named(timings, classic_figures.BARE),
    }
    return [
        {
            "environment": env.id,
            "envs": num_envs,
            "case": timing.name,
            "best steps/s": timing.best,
            "median steps/s": timing.median,
            "µs per call": 1e6 * num_envs / timing.median,
            **{name: harness.ratio(timing, other) for name, other in references.items()},
        }
        for timing in timings
    ]


def _named(timings: Sequence[Any], name: str) -> Any:
    return next((each for each in timings if each.name == name), None)


if __name__ == "__main__":
    main()
