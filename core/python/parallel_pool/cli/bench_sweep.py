"""`parallel-pool bench --sweep`: a table that fills as it is measured, and the best setting of this machine."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parallel_pool.errors import OptionError, ParallelPoolError

if TYPE_CHECKING:
    from parallel_pool.benchmarking.baselines import Baselines, Task
    from parallel_pool.benchmarking.sweep import Setting, Sweep

SIZES = (1, 4, 16, 64, 256)
_CELL = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what only a sweep has."""
    parser.add_argument(
        "--sweep",
        action="store_true",
        help="measure several numbers of environments, threads and batch sizes, and print the fastest; "
        "--num-envs, --num-threads and --batch-size take lists: 1,16,256",
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="with --sweep: write the curves to FILE.svg"
    )


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


def run_sweep(args: argparse.Namespace, task: "Task", baselines: "Baselines") -> int:
    """Measure, print and draw. Returns 130 if interrupted, else 0."""
    from parallel_pool.benchmarking.sweep import Sweep, measure, report, settings_of, thread_counts
    from parallel_pool.threads.cpu_budget import share_of_cpus

    if args.plot is not None and args.plot.suffix != ".svg":
        raise OptionError(f"--plot {args.plot}: expected a name that ends with .svg")
    threads = args.num_threads or thread_counts(share_of_cpus())
    settings = settings_of(args.num_envs or SIZES, threads, args.batch_size)
    sweep = Sweep(task)
    table = _Table(task.task_id, settings, list(baselines), quiet=args.json)
    interrupted = False
    try:
        measure(sweep, settings, args.seconds, baselines, table.show)
    except KeyboardInterrupt:
        interrupted = True
        if not sweep.rates:
            raise ParallelPoolError("interrupted before anything was measured") from None
    finally:
        table.close()
    if args.json:
        print(json.dumps(report(sweep, interrupted), indent=2))
    else:
        _advise(sweep, interrupted)
    if args.plot is not None:
        _draw(sweep, args.plot)
    return 130 if interrupted else 0


class _Table:
    """A row per number of environments, a column per label of a setting; cells come one by one."""

    def __init__(
        self,
        title: str,
        settings: dict[int, list["Setting"]],
        baselines: Sequence[str],
        quiet: bool,
    ) -> None:
        self._quiet = quiet
        every = [each for row in settings.values() for each in row]
        every.sort(key=lambda each: (each.part, each.num_threads))
        labels = [*dict.fromkeys(each.label for each in every), *baselines]
        self._width = max(_CELL, *(len(label) + 2 for label in labels))
        self._places = {label: place for place, label in enumerate(labels)}
        self._row: int | None = None
        self._column = 0
        if not quiet:
            print(f"{title}: environment steps per second; 1/4: asynchronous, batches of a quarter")
            print("envs".rjust(8) + "".join(label.rjust(self._width) for label in labels))

    def show(self, size: int, label: str, rate: float | None) -> None:
        """The next cell."""
        if self._quiet:
            return
        if size != self._row:
            self.close()
            self._row, self._column = size, 0
            print(f"{size:>8,}", end="")
        place = self._places[label]
        print(" " * self._width * (place - self._column), end="")
        print(("-" if rate is None else f"{rate:,.0f}").rjust(self._width), end="", flush=True)
        self._column = place + 1

    def close(self) -> None:
        """Ends the row."""
        if self._row is not None:
            print()
        self._row = None


def _advise(sweep: "Sweep", interrupted: bool) -> None:
    best, rate = sweep.best
    name = repr(sweep.task.task_id)
    options = "".join(f", {key}={value!r}" for key, value in sweep.task.options.items())
    print(f"\nfastest here: make({name}, {best.arguments}{options}): {rate:,.0f} steps/s")
    smallest, enough = sweep.smallest
    if smallest.num_envs < best.num_envs:
        share = enough / rate
        print(f"{share:.0%} of that with make({name}, {smallest.arguments}{options})")
    for (peer, size), theirs in sweep.baselines.items():
        ours = max(speed for each, speed in sweep.rates.items() if each.num_envs == size)
        print(f"{size} environments: {ours / theirs:.2f} x as fast as {peer}")
    for reason in sweep.left_out:
        print(f"left out: {reason}")
    if interrupted:
        print("interrupted: what was measured until then")


def _draw(sweep: "Sweep", path: Path) -> None:
    from parallel_pool.benchmarking.chart import chart
    from parallel_pool.benchmarking.sweep import curves

    drawn: dict[str, Any] = dict(curves(sweep))
    text = chart(sweep.task.task_id, "environments", "environment steps per second", drawn)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OptionError(f"--plot {path}: {error.strerror}") from error
