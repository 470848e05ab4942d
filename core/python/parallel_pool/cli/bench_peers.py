"""`parallel-pool bench --peers`: ids at their defaults beside EnvPool and Gymnasium, a row per setting."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from parallel_pool.cli.text import table
from parallel_pool.errors import OptionError

if TYPE_CHECKING:
    from parallel_pool.benchmarking.baselines import Baselines, Task

    Measure = Callable[[Task, float, Baselines], dict[str, Any]]

_SETTINGS = ((1, None), (16, None), (16, 4))
_SECONDS = 1.0
_COLUMNS = ("environment", "envs", "batch", "env steps/s")


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Declare --peers."""
    parser.add_argument(
        "--peers",
        action="store_true",
        help="compare with EnvPool and Gymnasium where they are installed: 1 and 16 environments, and batches "
        "of 4 of 16; without ids, an environment of each installed family. --seconds is for each row (1)",
    )


def run_peers(
    args: argparse.Namespace,
    options: dict[str, Any],
    measure: "Measure",
    ids: Sequence[str],
    num_threads: int | None,
) -> int:
    """Measure and print. Returns 130 if interrupted, else 0."""
    for name in ("num_envs", "batch_size", "against", "sweep", "plot"):
        if getattr(args, name):
            raise OptionError(f"--peers has its own settings; without --{name.replace('_', '-')}")
    reports = list(_reports(options, measure, args.seconds or _SECONDS, ids, num_threads))
    if args.json:
        print(json.dumps(reports, indent=2))
    else:
        _print(reports)
    return 130 if reports[-1]["interrupted"] else 0


def one_of_each_family() -> list[str]:
    """The first id of each."""
    from parallel_pool import list_all_envs

    return list({each.partition("/")[0]: each for each in reversed(list_all_envs())}.values())[::-1]


def _reports(
    options: dict[str, Any],
    measure: "Measure",
    seconds: float,
    ids: Sequence[str],
    num_threads: int | None,
) -> Iterator[dict[str, Any]]:
    from parallel_pool.benchmarking.baselines import Task
    from parallel_pool.benchmarking.by_name import BASELINES, find_baselines

    sync = "Gymnasium sync"
    for task_id in ids:
        for num_envs, batch_size in _SETTINGS:
            baselines = find_baselines("envpool")
            if batch_size is None:  # Gymnasium has no batches of the first that are ready
                baselines = {sync: BASELINES[sync], **baselines}
            task = Task(task_id, num_envs, batch_size, num_threads, options)
            report = measure(task, seconds, baselines)
            yield report
            if report["interrupted"]:
                return


def _print(reports: Sequence[dict[str, Any]]) -> None:
    """A row per report, a column per peer, then why a peer is not in it."""
    peers = dict.fromkeys(each["name"] for report in reports for each in report.get("against", ()))
    rows = [(*_COLUMNS, *(f"to {peer}" for peer in peers))]
    for report in reports:
        ratios = {each["name"]: each["times_faster"] for each in report.get("against", ())}
        rows.append(
            (
                report["id"],
                f"{report['num_envs']}",
                f"{report['batch_size']}",
                f"{report['env_steps_per_second']:,.0f}",
                *(f"{ratios[peer]:.2f} x" if ratios.get(peer) else "-" for peer in peers),
            )
        )
    table(rows)
    for reason in dict.fromkeys(each for report in reports for each in report.get("absent", ())):
        print(f"left out: {reason}")
