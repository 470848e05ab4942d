"""`parallel-pool bench`: how fast environments step on this machine, and against others."""

import argparse
import json
import math
import sys
import time
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from parallel_pool.cli.assignments import add_option, assigned
from parallel_pool.cli.bench_peers import add_argument as add_peers
from parallel_pool.cli.bench_peers import one_of_each_family, run_peers
from parallel_pool.cli.bench_report import print_report, versus
from parallel_pool.cli.bench_sweep import add_arguments, run_sweep, sizes
from parallel_pool.cli.progress import Progress
from parallel_pool.errors import OptionError, ParallelPoolError, PluginError
from parallel_pool.registry.first_party import DEMONSTRATION

if TYPE_CHECKING:
    from parallel_pool.benchmarking.baselines import Baselines, Task
    from parallel_pool.benchmarking.drivers import Driver
    from parallel_pool.benchmarking.interleave import Timing

_SECONDS = 10.0
_SLICE_SECONDS = 0.4


def add_parser(subparsers: Any) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser("bench", help="measure how fast environments step")
    parser.add_argument(
        "id", nargs="*", help=f"ids in any form that make accepts ({DEMONSTRATION})"
    )
    parser.add_argument(
        "--num-envs", type=sizes, metavar="N", help="environments in the pool (100)"
    )
    parser.add_argument(
        "--batch-size", type=sizes, metavar="B", help="rows per recv; fewer than N: asynchronous"
    )
    parser.add_argument(
        "--num-threads", type=sizes, metavar="T", help="threads of the pool (as many as can run)"
    )
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="duration of the measurement (10)"
    )
    add_option(parser)
    parser.add_argument(
        "--against",
        default="",
        metavar="B,B",
        help="baselines to compare with: gymnasium, envpool, or a Python file with BASELINES",
    )
    add_peers(parser)
    add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def run(args: argparse.Namespace) -> int:
    """Measure each environment and print its figures. Returns 130 if interrupted, else 0."""
    if args.seconds is not None and not 0 < args.seconds < math.inf:
        raise OptionError(f"--seconds is {args.seconds:g}, expected more than 0")
    options = assigned(
        args.option, ("task_id", "env_type", "num_envs", "batch_size", "num_threads")
    )
    try:
        from parallel_pool import _core
        from parallel_pool.benchmarking.baselines import Task
        from parallel_pool.benchmarking.by_name import find_baselines
    except ImportError as error:
        raise PluginError(f"{error}; `parallel-pool doctor` says what to do") from error
    del _core
    if args.peers:
        num_threads = _one(args, "num_threads")
        return run_peers(args, options, _measure, args.id or one_of_each_family(), num_threads)
    args.seconds = args.seconds or _SECONDS
    baselines: Baselines = {}
    for word in filter(None, args.against.split(",")):
        baselines = {**baselines, **find_baselines(word)}
    if args.sweep:
        return _sweep(args, options, baselines)
    if args.plot is not None:
        raise OptionError("--plot draws what --sweep has measured")
    num_envs, batch_size, num_threads = (
        _one(args, name) for name in ("num_envs", "batch_size", "num_threads")
    )
    reports = []
    for task_id in args.id or [DEMONSTRATION]:
        task = Task(task_id, num_envs or 100, batch_size, num_threads, options)
        report = _measure(task, args.seconds, baselines)
        reports.append(report)
        if not args.json:
            print_report(report)
        if report["interrupted"]:
            break
    if args.json:
        print(json.dumps(reports, indent=2))
    return 130 if reports[-1]["interrupted"] else 0


def _sweep(args: argparse.Namespace, options: dict[str, Any], baselines: "Baselines") -> int:
    from parallel_pool.benchmarking.baselines import Task

    ids = args.id or [DEMONSTRATION]
    if len(ids) > 1:
        raise OptionError(f"--sweep is of one environment, not of {', '.join(ids)}")
    return run_sweep(args, Task(ids[0], 1, options=options), baselines)


def _one(args: argparse.Namespace, name: str) -> int | None:
    """The only number of an argument that has several in a sweep."""
    values = getattr(args, name)
    if values is not None and len(values) > 1:
        flag = name.replace("_", "-")
        raise OptionError(f"--{flag} has {len(values)} numbers: several are for --sweep")
    return None if values is None else int(values[0])


def _measure(task: "Task", seconds: float, baselines: "Baselines") -> dict[str, Any]:
    """Build the pools, step them, and say in a JSON-like dict what came out."""
    from parallel_pool.benchmarking.actions import draw_actions
    from parallel_pool.benchmarking.baselines import parallel_pool
    from parallel_pool.benchmarking.episodes import EpisodeMeter
    from parallel_pool.benchmarking.memory import resident_bytes

    # AsyncVectorEnv forks, which no thread of a pool should live to see: the others first.
    others, absent = _build_baselines(task, baselines)
    drivers: list[Driver] = [*others]
    try:
        # A pool of one first, so that the library and Python's modules do not count as memory.
        with closing(parallel_pool(replace(task, num_envs=1, batch_size=None))) as small:
            actions = draw_actions(small.env.single_action_space, task.rows)
            games = small.env.definition.counts_games
        counting = {"episode_statistics": True} if games else {}
        before = resident_bytes()
        started = time.perf_counter()
        own = replace(task, options={**task.options, **counting})
        build = partial(parallel_pool, own, actions=actions)
        ours = _building(task.task_id, task.num_envs, build)
        drivers.insert(0, ours)
        build_seconds = time.perf_counter() - started
        meter = EpisodeMeter(task.num_envs, games=games)
        timings, interrupted = _step(drivers, seconds, meter, task.task_id)
        after = resident_bytes()
        mine = timings[0].total
        config = getattr(ours.env, "config", {})
        report: dict[str, Any] = {
            "id": config.get("task_id", task.task_id),
            "num_envs": task.num_envs,
            "batch_size": task.rows,
            "asynchronous": task.is_async,
            "num_threads": config.get("num_threads"),
            "options": dict(task.options),
            "build_seconds": build_seconds,
            "seconds": mine.seconds,
            "calls": mine.calls,
            "env_steps": mine.env_steps,
            "env_steps_per_second": mine.rate,
            "microseconds_per_call": 1e6 * mine.seconds / mine.calls if mine.calls else None,
            "microseconds_per_env_step": 1e6 / mine.rate if mine.rate else None,
            "episodes": meter.finished,
            "mean_return": meter.mean_return,
            "interrupted": interrupted,
        }
        if "frame_skip" in config:
            report["frames_per_second"] = mine.rate * config["frame_skip"]
        if before is not None and after is not None:
            report["bytes_per_env"] = max(0, after - before) // task.num_envs
        if len(timings) > 1:
            report["against"] = [versus(timings[0], each) for each in timings[1:]]
        if absent:
            report["absent"] = absent
        return report
    finally:
        for driver in drivers:
            driver.close()


def _build_baselines(task: "Task", baselines: "Baselines") -> tuple[list["Driver"], list[str]]:
    """The baselines that can take part, and why the others cannot."""
    from parallel_pool.benchmarking.baselines import Absent

    built: list[Driver] = []
    absent = []
    try:
        for name, build in baselines.items():
            try:
                built.append(_building(name, task.num_envs, partial(build, task)))
            except Absent as reason:
                absent.append(f"{name}: {reason}")
            except ParallelPoolError:
                raise
            except Exception as error:
                raise ParallelPoolError(
                    f"--against: {name} failed: {type(error).__name__}: {error}"
                ) from error
    except BaseException:
        for driver in built:
            driver.close()
        raise
    return built, absent


def _building(name: str, num_envs: int, build: Any) -> Any:
    """`build()` between a message and how long it took."""
    started = time.perf_counter()
    print(f"building {num_envs} x {name} ...", end="", file=sys.stderr, flush=True)
    try:
        result = build()
    except BaseException:
        print(" not built", file=sys.stderr)
        raise
    print(f" {time.perf_counter() - started:.2f} s", file=sys.stderr)
    return result


def _step(
    drivers: list["Driver"], seconds: float, meter: Any, label: str
) -> tuple[list["Timing"], bool]:
    """Step alone without a pause, or in turn with baselines; Ctrl-C keeps what was measured."""
    from parallel_pool.benchmarking.interleave import Timing, interleave

    progress = Progress(seconds * len(drivers), label)

    started = time.perf_counter()

    def show(timings: Any) -> None:
        elapsed = time.perf_counter() - started
        progress.update(elapsed, f"{timings[0].total.rate:,.0f} env steps/s")

    timings = [Timing(driver.name) for driver in drivers]
    interrupted = False
    try:
        if len(drivers) == 1:
            drivers[0].resume(meter)
            while (left := seconds - (time.perf_counter() - started)) > 0:
                timings[0].slices.append(drivers[0].run(min(0.1, left), meter))
                show(timings)
        else:
            rounds = max(3, round(seconds / _SLICE_SECONDS))
            interleave(
                drivers,
                rounds=rounds,
                slice_seconds=seconds / rounds,
                observe=meter,
                after_slice=show,
                timings=timings,
            )
    except KeyboardInterrupt:
        interrupted = True
        if not timings[0].slices:
            raise ParallelPoolError("interrupted before anything was measured") from None
    finally:
        progress.close()
    return timings, interrupted
