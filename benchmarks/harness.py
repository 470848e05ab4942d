"""What the benchmark scripts share: arguments, cases side by side, the environment line, tables."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from parallel_pool import _core
from parallel_pool.benchmarking.baselines import Absent
from parallel_pool.benchmarking.drivers import Driver
from parallel_pool.benchmarking.interleave import Timing, interleave
from parallel_pool.errors import ParallelPoolError

PACKAGES = (
    "parallel-pool",
    "parallel-pool-classic",
    "parallel-pool-atari",
    "parallel-pool-mujoco",
    "parallel-pool-dmc",
    "dm-control",
    "shimmy",
    "envpool",
    "ale-py",
    "gymnasium",
    "mujoco",
    "numpy",
    "opencv-python-headless",
)

Build = Callable[[], Driver]
Row = dict[str, Any]


def arguments(description: str, *, sizes: Sequence[int]) -> argparse.ArgumentParser:
    """The options that all scripts have; a script may add its own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=list(sizes), metavar="N", help="environments"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="store the figures as well")
    return parser


def timed_arguments(
    description: str, *, sizes: Sequence[int], rounds: int = 7, seconds: float = 0.4
) -> argparse.ArgumentParser:
    """`arguments` and those of interleaved timing, with these defaults."""
    parser = arguments(description, sizes=sizes)
    parser.add_argument(
        "--rounds", type=int, default=rounds, help=f"slices of each case ({rounds})"
    )
    parser.add_argument(
        "--slice", type=float, default=seconds, help=f"seconds of a slice ({seconds})"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw a chart (needs matplotlib)")
    return parser


def side_by_side(builds: Sequence[Build], *, rounds: int, seconds: float) -> list[Timing]:
    """Builds the cases, steps them in turn, closes them. Those that are absent are left out, aloud.

    Order matters to processes that fork: put them first, before any pool has threads.
    """
    drivers: list[Driver] = []
    try:
        for build in builds:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    drivers.append(build())
            except (Absent, ParallelPoolError) as reason:
                say(f"left out: {reason}")
        return interleave(drivers, rounds=rounds, slice_seconds=seconds)
    finally:
        for driver in drivers:
            driver.close()


def fastest(timings: Iterable[Timing]) -> Timing | None:
    """The one with the highest median, or None of none."""
    return max(timings, key=lambda timing: timing.median, default=None)


def ratio(timing: Timing, reference: Timing | None) -> float | None:
    """`timing` to `reference`, each round against itself; None without a reference."""
    return None if reference is None else timing.ratio_to(reference)


def environment() -> dict[str, Any]:
    """Processor, threads, versions and command line: what a figure is worthless without."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return {
        "cpu": _cpu_model(),
        "usable_cpus": _core.usable_cpus(),
        "load_average": os.getloadavg()[0],
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": versions,
        "command": without_folders(
            " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])
        ),
    }


def without_folders(text: str) -> str:
    """Of each absolute path its name alone: where a machine has its files is nothing to publish."""
    return re.sub(r"(?<![\w.])/(?:[^\s/\"'|:]+/)+", "", text)


def print_environment(facts: dict[str, Any]) -> None:
    """As lines above the table."""
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    print(f"{facts['cpu']}, {facts['usable_cpus']} usable CPUs, {facts['system']}")
    print(f"load average at the start: {facts['load_average']:.2f}")
    print(f"Python {facts['python']}, {versions}")
    print(f"`{facts['command']}`\n", flush=True)


def print_table(columns: dict[str, Callable[[Any], str]], rows: Sequence[Row]) -> None:
    """Prints a `table`."""
    print(table(columns, rows), end="")


def table(columns: dict[str, Callable[[Any], str]], rows: Sequence[Row]) -> str:
    """Markdown, a line per row. `columns`: from a key of the rows to how its value is written; None is "-"."""
    cells = [
        ["-" if row.get(key) is None else write(row[key]) for key, write in columns.items()]
        for row in rows
    ]
    head = list(columns)
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    numeric = [key != head[0] and write is not str for key, write in columns.items()]
    rule = [
        "-" * (width - 1) + (":" if right else "-")
        for width, right in zip(widths, numeric, strict=True)
    ]
    lines = []
    for line in (head, rule, *cells):
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        )
        lines.append(f"| {' | '.join(padded)} |\n")
    return "".join(lines)


def store(path: Path | None, facts: dict[str, Any], rows: Sequence[Row]) -> None:
    """The figures as JSON, if a file was named."""
    if path is not None:
        # Aside first: an interrupt here leaves the earlier figures.
        aside = path.with_name(path.name + ".part")
        aside.write_text(json.dumps({"environment": facts, "rows": rows}, indent=2) + "\n")
        aside.replace(path)


def stored(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """What `store` wrote."""
    figures = json.loads(path.read_text())
    return figures["environment"], figures["rows"]


def plot(path: Path | None, rows: Sequence[Row], *, title: str, x: str, y: str, label: str) -> None:
    """A line per value of `label` over `x`, both axes logarithmic, if a file was named."""
    if path is None:
        return
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for name in dict.fromkeys(row[label] for row in rows):
        mine = sorted((row[x], row[y]) for row in rows if row[label] == name)
        axes.plot(*zip(*mine, strict=True), marker="o", label=name)
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y, title=title)
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=150)


def say(text: str) -> None:
    """To stderr: what is no result."""
    print(text, file=sys.stderr, flush=True)


def whole(value: float) -> str:
    """1234567.8 as 1,234,568."""
    return f"{value:,.0f}"


def times(value: float) -> str:
    """A ratio."""
    return f"{value:.2f} x"


def put_between(page: Path, begin: str, end: str, text: str) -> None:
    """Replaces what a page has between two marks. Without them: SystemExit."""
    before, found_begin, rest = page.read_text().partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise SystemExit(f"{page} has no lines {begin.strip()!r} and {end.strip()!r}")
    page.write_text(before + begin + text + end + after)


def show(lines: str, page: Path | None) -> None:
    """Prints figures, and puts them into the page between the marks that name this script and that end it."""
    print(lines, end="", flush=True)
    if page is not None:
        name = Path(sys.argv[0]).stem
        put_between(
            page, f"<!-- figures: {name} -->\n", f"<!-- end of figures: {name} -->\n", lines
        )


def percent(value: float) -> str:
    """A share."""
    return f"{value:.0%}"


def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"
