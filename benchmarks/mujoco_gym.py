"""Ant, HalfCheetah and Humanoid: ParallelPool, EnvPool, Gymnasium, and the limits, in turn.

Two rates: steps per second, and per second of CPU time of this process (with all its threads). The first
says how long one waits, the second how much work a step is; a pool whose threads wait for the slowest
environment of a batch has a good second and a bad first. EnvPool has a MuJoCo of its own, 3.6.0.

Further parts: what threads lose by waiting for each other, start-up and memory, and pictures. The whole
takes about ten minutes; `--minutes` says how long the first part may.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import harness
import mujoco_barrier
import mujoco_pixels
import mujoco_report
import mujoco_startup
from bare import BareMujoco, MujocoRollout
from baselines import envpool, gymnasium_vector
from parallel_pool.benchmarking.baselines import Task, parallel_pool
from parallel_pool.benchmarking.drivers import Driver, Observer, Slice

SIZES = (8, 64, 256)
GYMNASIUM_AT = 8
ASYNC_WORKERS = "Gymnasium async"
"""Its CPU time is that of other processes, which is not seen."""


class Metered(Driver):
    """A driver whose CPU time is noted, slice by slice. Of other processes nothing is seen."""

    def __init__(self, inner: Driver) -> None:
        super().__init__(inner.name, inner.rows)
        self.inner = inner
        self.env, self.actions, self.is_async = inner.env, inner.actions, inner.is_async
        self.work: list[float] = []
        """Environment steps per second of CPU time."""
        self.busy: list[float] = []
        """CPUs that were busy, on average."""

    def resume(self, observe: Observer | None = None) -> None:
        self.inner.resume(observe)

    def settle(self) -> None:
        self.inner.settle()

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        begin = time.process_time()
        result = self.inner.run(seconds, observe)
        spent = time.process_time() - begin
        self.work.append(result.env_steps / spent if spent else 0.0)
        self.busy.append(spent / result.seconds if result.seconds else 0.0)
        return result

    def advance(self, calls: int) -> Any:
        return self.inner.advance(calls)

    def close(self) -> None:
        self.inner.close()


def main() -> None:
    """Prints the tables."""
    os.environ.setdefault(
        "MUJOCO_GL", "egl"
    )  # for the part with pictures; read at the first import
    args = arguments()
    if args.again is not None:
        figures = json.loads(args.again.read_text())
    else:
        figures = measured(args)
        if args.json is not None:
            args.json.write_text(json.dumps(figures, indent=2) + "\n")
    print(mujoco_report.markdown(figures))
    if args.table is not None:
        mujoco_report.put_into(args.table, figures, args.plot)
    if args.plot is not None:
        mujoco_report.plot(args.plot, figures)


def arguments() -> Any:
    """What was asked for."""
    parser = harness.arguments(__doc__ or "", sizes=SIZES)
    parser.add_argument("--minutes", type=float, default=6, help="for the speeds (6)")
    parser.add_argument("--rounds", type=int, default=7, help="slices of each case (7)")
    parser.add_argument(
        "--tasks", nargs="+", default=list(BareMujoco.TASKS), choices=BareMujoco.TASKS
    )
    parser.add_argument("--threads", type=int, default=2, help="of each baseline (2)")
    parser.add_argument(
        "--divisor", type=int, default=4, help="asynchronous batches: environments / this (4)"
    )
    parser.add_argument("--parts", nargs="+", default=list(PARTS), choices=PARTS)
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="a page whose marked part becomes the tables"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw a chart (needs matplotlib)")
    parser.add_argument(
        "--again", type=Path, metavar="FILE", help="measure nothing: tables of a file from --json"
    )
    return parser.parse_args()


def measured(args: Any) -> dict[str, Any]:
    """All figures, by part."""
    figures: dict[str, Any] = {"environment": harness.environment()}
    for part in args.parts:
        begin = time.perf_counter()
        figures[part] = PARTS[part](args)
        harness.say(f"{part}: {time.perf_counter() - begin:.0f} s")
    return figures


def speed(args: Any) -> list[harness.Row]:
    """A row per task, size and case."""
    sets = {(task, size): cases(task, size, args) for task in args.tasks for size in args.sizes}
    slices = args.rounds * sum(len(builds) for builds, _ in sets.values())
    seconds = args.minutes * 60 / slices
    rows: list[harness.Row] = []
    for number, ((task, size), (builds, batches)) in enumerate(sets.items(), 1):
        harness.say(f"{number} of {len(sets)}: {task}, {size} environments ...")
        rows += measure(task, size, builds, batches, args, seconds)
    return rows


def cases(name: str, num_envs: int, args: Any) -> tuple[list[harness.Build], dict[str, int]]:
    """Who takes part, and with what batches."""
    builds: list[harness.Build] = []
    batches: dict[str, int] = {}
    if num_envs == GYMNASIUM_AT:
        task = Task(f"mujoco/{name}", num_envs)
        # First, before any pool has threads: it forks.
        builds += [
            partial(gymnasium_vector, task, mode, name=f"Gymnasium {mode}")
            for mode in ("async", "sync")
        ]
    for batch, mode in ((num_envs, "sync"), (max(1, num_envs // args.divisor), "async")):
        task = Task(f"mujoco/{name}", num_envs, batch, args.threads)
        for build, who in ((envpool, "EnvPool"), (parallel_pool, "ParallelPool")):
            batches[f"{who} {mode}"] = batch
            builds.append(partial(build, task, name=f"{who} {mode}"))
    builds.append(partial(BareMujoco, "bare loop", name, num_envs, args.threads))
    if name == "HalfCheetah-v5":  # it never falls: without resets the others are another task
        builds.append(partial(MujocoRollout, "mujoco.rollout", name, num_envs, args.threads))
    return builds, batches


def measure(
    name: str,
    num_envs: int,
    builds: list[harness.Build],
    batches: dict[str, int],
    args: Any,
    seconds: float,
) -> list[harness.Row]:
    """The rows of one task and size; ratios are medians over the rounds, each against itself."""
    meters: dict[str, Metered] = {}

    def metered(build: harness.Build) -> Driver:
        meter = Metered(build())
        return meters.setdefault(meter.name, meter)

    timings = harness.side_by_side(
        [partial(metered, build) for build in builds], rounds=args.rounds, seconds=seconds
    )
    by_name = {each.name: each for each in timings}
    work = {name: meter.work[-args.rounds :] for name, meter in meters.items()}

    def of(mine: str, theirs: str) -> float | None:
        if theirs not in work or ASYNC_WORKERS in (mine, theirs):
            return None
        pairs = zip(work[mine], work[theirs], strict=True)
        return median(one / other for one, other in pairs)

    rows = []
    for timing in timings:
        rival = "EnvPool " + timing.name.rpartition(" ")[2]
        seen = timing.name != ASYNC_WORKERS
        rows.append(
            {
                "task": name,
                "envs": num_envs,
                "batch": batches.get(timing.name, num_envs),
                "case": timing.name,
                "steps/s": timing.median,
                "steps/CPU-s": median(work[timing.name]) if seen else None,
                "busy CPUs": median(meters[timing.name].busy[-args.rounds :]) if seen else None,
                "of bare, wall": harness.ratio(timing, by_name.get("bare loop")),
                "of bare, CPU": of(timing.name, "bare loop"),
                "to EnvPool, wall": harness.ratio(timing, by_name.get(rival)),
                "to EnvPool, CPU": of(timing.name, rival),
            }
        )
    return rows


PARTS: dict[str, Callable[[Any], list[harness.Row]]] = {
    "speed": speed,
    "barrier": lambda args: mujoco_barrier.study(args.tasks, args.sizes, args.threads),
    "startup": lambda args: mujoco_startup.compared(),
    "pixels": lambda args: mujoco_pixels.compared(),
}

if __name__ == "__main__":
    main()
