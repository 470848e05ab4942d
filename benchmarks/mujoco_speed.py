"""How fast pools of MuJoCo's tasks are: what mujoco_gym.py and dm_control_suite.py share.

Two rates: steps per second, and per second of CPU time of this process (with all its threads). The first
says how long one waits, the second how much work a step is; a pool whose threads wait for the slowest
environment of a batch has a good second and a bad first.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import harness
import mujoco_report
from parallel_pool.benchmarking.baselines import Task, parallel_pool
from parallel_pool.benchmarking.drivers import Driver, Observer, Slice
from parallel_pool.benchmarking.envpool import envpool

SIZES = (8, 64, 256)
PYTHON_AT = 8
"""Where environments in Python take part."""
IN_PYTHON = ("Gymnasium sync", "dm_control sync")
ASYNC_WORKERS = ("Gymnasium async", "dm_control async")
"""Their CPU time is that of other processes, which is not seen."""

Cases = Callable[[str, int, Any], tuple[list[harness.Build], dict[str, int]]]
"""The pools compared in a task of so many environments, with the arguments; and with what batches."""
Parts = Mapping[str, Callable[[Any], list[harness.Row]]]


def run(description: str, page: mujoco_report.Page, tasks: Sequence[str], parts: Parts) -> None:
    """The script: measures, prints the tables, puts them where they belong."""
    # For the part with pictures; read at the first import.
    os.environ.setdefault("MUJOCO_GL", "egl")
    args = arguments(description, tasks, parts)
    figures = stored(args.again) if args.again else measured(args, parts)
    if args.json is not None:
        args.json.write_text(json.dumps(figures, indent=2) + "\n")
    print(mujoco_report.markdown(page, figures))
    if args.table is not None:
        mujoco_report.put_into(page, args.table, figures, args.plot)
    if args.plot is not None:
        mujoco_report.plot(args.plot, figures)


def arguments(description: str, tasks: Sequence[str], parts: Parts) -> Any:
    """What was asked for."""
    parser = harness.arguments(description, sizes=SIZES)
    parser.add_argument("--minutes", type=float, default=6, help="for the speeds (6)")
    parser.add_argument("--rounds", type=int, default=7, help="slices of each case (7)")
    parser.add_argument("--tasks", nargs="+", default=list(tasks), choices=tasks)
    parser.add_argument("--threads", type=int, default=2, help="of each baseline (2)")
    parser.add_argument(
        "--divisor", type=int, default=4, help="asynchronous batches: environments / this (4)"
    )
    parser.add_argument(
        "--no-envpool", action="store_true", help="whose dogs take 78 MB each: 20 GB for 256"
    )
    parser.add_argument("--parts", nargs="+", default=list(parts), choices=list(parts))
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="a page whose marked part becomes the tables"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw a chart (needs matplotlib)")
    parser.add_argument(
        "--again",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing: what was stored by --json, in one file or, measured piece by piece, in several",
    )
    return parser.parse_args()


def stored(files: Sequence[Path]) -> dict[str, Any]:
    """The figures of several files together; the first says where they were measured."""
    figures: dict[str, Any] = {}
    for file in files:
        for part, value in json.loads(file.read_text()).items():
            if part not in figures:
                figures[part] = value
            elif part != "environment":
                figures[part] += value
    return figures


def measured(args: Any, parts: Parts) -> dict[str, Any]:
    """All figures, by part."""
    figures: dict[str, Any] = {"environment": harness.environment()}
    for part in args.parts:
        begin = time.perf_counter()
        figures[part] = parts[part](args)
        harness.say(f"{part}: {time.perf_counter() - begin:.0f} s")
    return figures


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


def speed(args: Any, cases: Cases) -> list[harness.Row]:
    """A row per task, size and case."""
    sets = {(task, size): cases(task, size, args) for task in args.tasks for size in args.sizes}
    slices = args.rounds * sum(len(builds) for builds, _ in sets.values())
    seconds = args.minutes * 60 / slices
    rows: list[harness.Row] = []
    for number, ((task, size), (builds, batches)) in enumerate(sets.items(), 1):
        harness.say(f"{number} of {len(sets)}: {task}, {size} environments ...")
        rows += measure(task, size, builds, batches, args, seconds)
    return rows


def pool_cases(
    task_id: str,
    num_envs: int,
    args: Any,
    leave_out: Sequence[str] = (),
) -> tuple[list[harness.Build], dict[str, int]]:
    """EnvPool and ParallelPool, in lockstep and asynchronously; and their batches.

    leave_out: options that mean something else to EnvPool.
    """
    builds: list[harness.Build] = []
    batches: dict[str, int] = {}
    for batch, mode in ((num_envs, "sync"), (max(1, num_envs // args.divisor), "async")):
        task = Task(task_id, num_envs, batch, args.threads)
        if not args.no_envpool:
            builds.append(partial(envpool, task, name=f"EnvPool {mode}", leave_out=leave_out))
        builds.append(partial(parallel_pool, task, name=f"ParallelPool {mode}"))
        batches |= {f"EnvPool {mode}": batch, f"ParallelPool {mode}": batch}
    return builds, batches


def seen(case: str) -> bool:
    """Whether its work is done in this process."""
    return case not in ASYNC_WORKERS


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
        if theirs not in work or not (seen(mine) and seen(theirs)):
            return None
        pairs = zip(work[mine], work[theirs], strict=True)
        return median(one / other for one, other in pairs)

    original = next((name for name in work if name in IN_PYTHON), "")
    rows = []
    for timing in timings:
        rival = "EnvPool " + timing.name.rpartition(" ")[2]
        rows.append(
            {
                "task": name,
                "envs": num_envs,
                "batch": batches.get(timing.name, num_envs),
                "case": timing.name,
                "steps/s": timing.median,
                "steps/CPU-s": median(work[timing.name]) if seen(timing.name) else None,
                "busy CPUs": median(meters[timing.name].busy[-args.rounds :])
                if seen(timing.name)
                else None,
                "of bare, wall": harness.ratio(timing, by_name.get("bare loop")),
                "of bare, CPU": of(timing.name, "bare loop"),
                "to EnvPool, wall": harness.ratio(timing, by_name.get(rival)),
                "to EnvPool, CPU": of(timing.name, rival),
                "to Python, CPU": of(timing.name, original),
            }
        )
    return rows
