"""Ant, HalfCheetah and Humanoid: ParallelPool, EnvPool, Gymnasium, and the limits, in turn.

Two rates: steps per second, and per second of CPU time of this process (with all its threads). The first
says how long one waits, the second how much work a step is; a pool whose threads wait for the slowest
environment of a batch has a good second and a bad first. EnvPool has a MuJoCo of its own, 3.6.0.
"""

from __future__ import annotations

import time
from functools import partial
from statistics import median
from typing import Any

import harness
from bare import BareMujoco, MujocoRollout
from parallel_pool.benchmarking.contestants import Task, envpool, gymnasium_vector, parallel_pool
from parallel_pool.benchmarking.drivers import Driver, Observer, Slice

SIZES = (8, 64, 256)
GYMNASIUM_AT = 8


class Metered(Driver):
    """A driver whose CPU time is noted, slice by slice. Of other processes nothing is seen."""

    def __init__(self, inner: Driver) -> None:
        super().__init__(inner.name, inner.rows)
        self.inner = inner
        self.env, self.actions, self.is_async = inner.env, inner.actions, inner.is_async
        self.work: list[float] = []
        """Environment steps per second of CPU time."""

    def resume(self, observe: Observer | None = None) -> None:
        self.inner.resume(observe)

    def settle(self) -> None:
        self.inner.settle()

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        begin = time.process_time()
        result = self.inner.run(seconds, observe)
        spent = time.process_time() - begin
        self.work.append(result.env_steps / spent if spent else 0.0)
        return result

    def advance(self, calls: int) -> Any:
        return self.inner.advance(calls)

    def close(self) -> None:
        self.inner.close()


def main() -> None:
    """Prints the table."""
    parser = harness.timed_arguments(__doc__ or "", sizes=SIZES)
    parser.add_argument(
        "--tasks", nargs="+", default=list(BareMujoco.TASKS), choices=BareMujoco.TASKS
    )
    parser.add_argument("--threads", type=int, default=2, help="of each contestant (2)")
    parser.add_argument(
        "--divisor", type=int, default=4, help="asynchronous batches: environments / this (4)"
    )
    args = parser.parse_args()
    facts = harness.environment()
    harness.print_environment(facts)
    rows: list[harness.Row] = []
    for task in args.tasks:
        for num_envs in args.sizes:
            harness.say(f"{task}, {num_envs} environments ...")
            rows += measure(task, num_envs, args)
    harness.print_table(
        {
            "task": str,
            "envs": str,
            "batch": str,
            "case": str,
            "steps/s": harness.whole,
            "steps/CPU-s": harness.whole,
            "of bare, wall": harness.percent,
            "of bare, CPU": harness.percent,
        },
        rows,
    )
    harness.store(args.json, facts, rows)
    for row in rows:
        row["line"] = f"{row['task']}: {row['case']}"
    harness.plot(args.plot, rows, title="MuJoCo", x="envs", y="steps/s", label="line")


def measure(name: str, num_envs: int, args: Any) -> list[harness.Row]:
    """The rows of one task and size; ratios are medians over the rounds, each against itself."""
    builds: list[harness.Build] = []
    batches: dict[str, int | None] = {}
    others: set[str] = set()
    if num_envs == GYMNASIUM_AT:
        task = Task(f"mujoco/{name}", num_envs)
        # First, before any pool has threads: it forks.
        builds += [partial(gymnasium_vector, task, mode) for mode in ("async", "sync")]
    for batch, mode in ((num_envs, "sync"), (max(1, num_envs // args.divisor), "async")):
        task = Task(f"mujoco/{name}", num_envs, batch, args.threads)
        for build, who in ((envpool, "EnvPool"), (parallel_pool, "ParallelPool")):
            batches[f"{who} {mode}"] = batch
            builds.append(partial(build, task, name=f"{who} {mode}"))
    bare_name = f"bare loop, {args.threads} threads"
    builds.append(partial(BareMujoco, bare_name, name, num_envs, args.threads))
    if name == "HalfCheetah-v5":  # it never falls: without resets the others are another task
        builds.append(partial(MujocoRollout, "mujoco.rollout", name, num_envs, args.threads))
    meters: list[Metered] = []

    def metered(build: harness.Build) -> Driver:
        meters.append(Metered(build()))
        return meters[-1]

    timings = harness.side_by_side(
        [partial(metered, build) for build in builds], rounds=args.rounds, seconds=args.slice
    )
    others |= {
        each.name for each in timings if "async" in each.name.lower() and "Pool" not in each.name
    }
    bare = next((each for each in timings if each.name == bare_name), None)
    work = {meter.name: meter.work[-args.rounds :] for meter in meters}
    rows = []
    for timing in timings:
        # The workers of AsyncVectorEnv are processes of their own.
        seen = timing.name not in others
        rows.append(
            {
                "task": name,
                "envs": num_envs,
                "batch": batches.get(timing.name, num_envs),
                "case": timing.name,
                "steps/s": timing.median,
                "steps/CPU-s": median(work[timing.name]) if seen else None,
                "of bare, wall": harness.ratio(timing, bare),
                "of bare, CPU": median(
                    mine / limit
                    for mine, limit in zip(work[timing.name], work[bare_name], strict=True)
                )
                if seen and bare is not None
                else None,
            }
        )
    return rows


if __name__ == "__main__":
    main()
