"""`parallel-pool bench`: how fast environments step on this machine."""

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import cycle, product
from typing import Any

from parallel_pool.cli.assignments import add_option, assigned
from parallel_pool.cli.bench_report import print_report
from parallel_pool.errors import OptionError, ParallelPoolError, PluginError
from parallel_pool.progress import Progress
from parallel_pool.registry.first_party import DEMONSTRATION


def add_parser(subparsers: Any) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser("bench", help="measure how fast environments step")
    parser.add_argument(
        "id", nargs="*", help=f"ids in any form that make accepts ({DEMONSTRATION})"
    )
    parser.add_argument(
        "--num-envs",
        type=sizes,
        default=[100],
        metavar="N",
        help="environments in the pool (100), or several numbers to be measured one after the other: 16,64,256",
    )
    parser.add_argument(
        "--batch-size",
        type=sizes,
        default=[None],
        metavar="B",
        help="rows per recv; fewer than N: asynchronous; or several numbers",
    )
    parser.add_argument(
        "--num-threads",
        type=sizes,
        default=[None],
        metavar="T",
        help="threads of the pool (as many as can run), or several numbers",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=10.0,
        metavar="S",
        help="duration of each measurement (10)",
    )
    add_option(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def sizes(text: str) -> list[int]:
    """[1, 16] of "1,16". Raises ArgumentTypeError, for argparse."""
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        numbers = [0]
    if not all(1 <= number < 2**31 for number in numbers):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number from 1 on, nor a list such as 1,16"
        )
    return numbers


def run(args: argparse.Namespace) -> int:
    """Measure each environment and print its figures. Returns 130 if interrupted, else 0."""
    if not 0 < args.seconds < math.inf:
        raise OptionError(f"--seconds is {args.seconds:g}, expected more than 0")
    options = assigned(
        args.option, ("task_id", "env_type", "num_envs", "batch_size", "num_threads")
    )
    try:
        from parallel_pool import _core
    except ImportError as error:
        raise PluginError(f"{error}; `parallel-pool doctor` says what to do") from error
    del _core
    reports = []
    numbers = args.num_envs, args.batch_size, args.num_threads
    for task_id, *of_pool in product(args.id or [DEMONSTRATION], *numbers):
        arguments = zip(("num_envs", "batch_size", "num_threads"), of_pool, strict=True)
        given = {name: value for name, value in arguments if value is not None}
        report = _measure(task_id, {**given, **options}, args.seconds)
        reports.append({**report, "options": options})
        if not args.json:
            print_report(report)
        if report["interrupted"]:
            break
    if args.json:
        print(json.dumps(reports, indent=2))
    return 130 if reports[-1]["interrupted"] else 0


def _measure(task_id: str, arguments: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Build a pool, step it, and say in a JSON-like dict what came out."""
    from parallel_pool.benchmarking.actions import draw_actions
    from parallel_pool.benchmarking.episodes import EpisodeMeter
    from parallel_pool.benchmarking.memory import resident_bytes
    from parallel_pool.making import make

    # A pool of one first, so that the library and Python's modules do not count as memory.
    with closing(make(task_id, **{**arguments, "num_envs": 1, "batch_size": None})) as small:
        games = small.definition.counts_games
        single = small.single_action_space
    rows = arguments.get("batch_size", arguments["num_envs"])
    actions = draw_actions(single, rows)
    counting: dict[str, Any] = {"episode_statistics": True} if games else {}
    before = resident_bytes()
    started = time.perf_counter()
    print(f"building {arguments['num_envs']} x {task_id} ...", end="", file=sys.stderr, flush=True)
    try:
        envs = make(task_id, **arguments, **counting)
    except BaseException:
        print(" not built", file=sys.stderr)
        raise
    with closing(envs):
        build_seconds = time.perf_counter() - started
        print(f" {build_seconds:.2f} s", file=sys.stderr)
        meter = EpisodeMeter(envs.num_envs, games=games)
        calls, spent, interrupted = _step(envs, actions, seconds, meter, task_id)
        after = resident_bytes()
        steps, config = calls * rows, envs.config
    report: dict[str, Any] = {
        "id": config["task_id"],
        "num_envs": config["num_envs"],
        "batch_size": rows,
        "asynchronous": envs.is_async,
        "num_threads": config["num_threads"],
        "build_seconds": build_seconds,
        "seconds": spent,
        "calls": calls,
        "env_steps": steps,
        "env_steps_per_second": steps / spent,
        "microseconds_per_call": 1e6 * spent / calls,
        "microseconds_per_env_step": 1e6 * spent / steps,
        "episodes": meter.finished,
        "mean_return": meter.mean_return,
        "mean_return_of_players": meter.mean_return_of_players,
        "interrupted": interrupted,
    }
    if "frame_skip" in config:
        report["frames_per_second"] = report["env_steps_per_second"] * config["frame_skip"]
    if before is not None and after is not None:
        report["bytes_per_env"] = max(0, after - before) // config["num_envs"]
    return report


def _step(
    envs: Any, actions: Sequence[Any], seconds: float, observe: Callable[[Any], None], label: str
) -> tuple[int, float, bool]:
    """How many calls the pool answered, in how many seconds, and whether Ctrl-C ended that.

    The time of `observe` counts only with an asynchronous pool, whose environments go on meanwhile.
    """
    progress = Progress(seconds, label)
    calls, inside, elapsed, interrupted = 0, 0.0, 0.0, False
    if envs.is_async:
        envs.async_reset()
        ids = envs.recv()[-1]["env_id"]
    else:
        envs.reset()
    began = time.perf_counter()
    try:
        for action in cycle(actions):
            before = time.perf_counter()
            if envs.is_async:
                envs.send(action, ids)
                result = envs.recv()
                ids = result[-1]["env_id"]
            else:
                result = envs.step(action)
            inside += time.perf_counter() - before
            calls += 1
            observe(result)
            elapsed = time.perf_counter() - began
            if elapsed >= seconds:
                break
            if calls % 64 == 0:
                progress.update(elapsed, f"{calls * len(result[1]) / elapsed:,.0f} env steps/s")
    except KeyboardInterrupt:
        interrupted = True
        if not calls:
            raise ParallelPoolError("interrupted before anything was measured") from None
    finally:
        progress.close()
    return calls, elapsed if envs.is_async else inside, interrupted
