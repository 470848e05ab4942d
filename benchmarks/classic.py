"""CartPole-v1: ParallelPool, EnvPool, Gymnasium and a bare loop, stepped in turn."""

from __future__ import annotations

from functools import partial

import harness
from bare import BareCartPole
from parallel_pool.benchmarking.contestants import (
    Task,
    envpool,
    gymnasium_vector,
    parallel_pool,
)

SIZES = (1, 8, 64, 1024, 16384)
THREADS = (1, 2)
SYNC_AT_MOST = 64
ASYNC_AT = 8
NUMPY = "Gymnasium numpy vector"


def main() -> None:
    """Prints the table."""
    args = harness.timed_arguments(__doc__ or "", sizes=SIZES).parse_args()
    facts = harness.environment()
    harness.print_environment(facts)
    rows: list[harness.Row] = []
    for num_envs in args.sizes:
        harness.say(f"{num_envs} environments ...")
        rows += measure(num_envs, args.rounds, args.slice)
    harness.print_table(
        {
            "envs": str,
            "case": str,
            "best steps/s": harness.whole,
            "median steps/s": harness.whole,
            "µs per call": lambda value: f"{value:,.2f}",
            "to EnvPool": harness.times,
            "to numpy": harness.times,
            "of bare loop": harness.percent,
        },
        rows,
    )
    harness.store(args.json, facts, rows)
    harness.plot(args.plot, rows, title="CartPole-v1", x="envs", y="median steps/s", label="case")


def measure(num_envs: int, rounds: int, seconds: float) -> list[harness.Row]:
    """The rows of one number of environments. EnvPool's is the faster of its thread counts."""
    task = Task("classic/CartPole-v1", num_envs)
    builds: list[harness.Build] = []
    if num_envs == ASYNC_AT:
        builds.append(partial(gymnasium_vector, task, "async"))
    if num_envs <= SYNC_AT_MOST:
        builds.append(partial(gymnasium_vector, task, "sync"))
    builds.append(partial(gymnasium_vector, task, "vector_entry_point", name=NUMPY))
    for threads in THREADS:
        if threads > num_envs:
            continue
        task = Task("classic/CartPole-v1", num_envs, num_threads=threads)
        suffix = f"{threads} thread{'s' * (threads > 1)}"
        builds.append(partial(envpool, task, name=f"EnvPool, {suffix}"))
        for view in ("gymnasium", "gym"):
            name = f"ParallelPool {view}, {suffix}"
            builds.append(partial(parallel_pool, task, view=view, name=name))
    builds.append(partial(BareCartPole, "bare loop, 1 thread", num_envs))
    timings = harness.side_by_side(builds, rounds=rounds, seconds=seconds)

    rival = harness.fastest(each for each in timings if each.name.startswith("EnvPool"))
    numpy = harness.fastest(each for each in timings if each.name == NUMPY)
    bare = harness.fastest(each for each in timings if each.name.startswith("bare"))
    return [
        {
            "envs": num_envs,
            "case": timing.name,
            "best steps/s": timing.best,
            "median steps/s": timing.median,
            "µs per call": 1e6 * num_envs / timing.median,
            "to EnvPool": harness.ratio(timing, rival),
            "to numpy": harness.ratio(timing, numpy),
            "of bare loop": harness.ratio(timing, bare),
        }
        for timing in timings
    ]


if __name__ == "__main__":
    main()
