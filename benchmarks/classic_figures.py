"""The figures of classic.py as tables and as a chart."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import harness

OURS = "ParallelPool"
RIVAL = "EnvPool"
SYNC = "Gymnasium sync"
NUMPY = "Gymnasium numpy vector"
BARE = "bare loop, 1 thread"

# How lines are drawn: label, which cases (the fastest of them at each size), style.
LINES: tuple[tuple[str, Callable[[str], bool], dict[str, Any]], ...] = (
    (
        "ParallelPool, 2 threads",
        lambda case: case.startswith(OURS) and case.endswith("2 threads"),
        {"color": "#0b4fa0", "linewidth": 2.4, "marker": "o"},
    ),
    (
        "ParallelPool, 1 thread",
        lambda case: case.startswith(OURS) and case.endswith("1 thread"),
        {"color": "#5aa2e8", "linewidth": 1.8, "marker": "o"},
    ),
    (
        "bare C++ loop, 1 thread",
        lambda case: case == BARE,
        {"color": "black", "linestyle": "--", "linewidth": 1.4},
    ),
    (
        "EnvPool, 1 or 2 threads",
        lambda case: case.startswith(RIVAL),
        {"color": "#d4481e", "linewidth": 1.8, "marker": "s"},
    ),
    (
        "Gymnasium, numpy vector",
        lambda case: case == NUMPY,
        {"color": "#3a923a", "linewidth": 1.8, "marker": "^"},
    ),
    (
        "Gymnasium, SyncVectorEnv",
        lambda case: case == SYNC,
        {"color": "#8a8a8a", "linewidth": 1.8, "marker": "v"},
    ),
)


def print_all(rows: Sequence[harness.Row]) -> None:
    """Every case."""
    harness.print_table(
        {
            "environment": str,
            "envs": str,
            "case": str,
            "best steps/s": harness.whole,
            "median steps/s": harness.whole,
            "µs per call": lambda value: f"{value:,.2f}",
            "to EnvPool": harness.times,
            "to sync": harness.times,
            "to numpy": harness.times,
            "of bare loop": harness.percent,
        },
        rows,
    )


def print_summary(rows: Sequence[harness.Row]) -> None:
    """A line for each environment, for the documentation: what the aims are about."""
    columns: dict[str, Callable[[Any], str]] = {"environment": str}
    lines: list[harness.Row] = [
        {"environment": name} for name in dict.fromkeys(row["environment"] for row in rows)
    ]

    def add(column: str, size: int, key: str, write: Callable[[Any], str], case: str = "") -> None:
        columns[column] = write
        for line in lines:
            found = [
                row[key]
                for row in rows
                if row["environment"] == line["environment"]
                and row["envs"] == size
                and row["case"].startswith(OURS)
                and row["case"].endswith(case)
                and row.get(key) is not None
            ]
            line[column] = max(found, default=None)

    times: Callable[[Any], str] = lambda value: f"{value:,.0f} x"  # noqa: E731
    add("million steps/s, 16384", 16384, "median steps/s", lambda value: f"{value / 1e6:,.0f}")
    add("to EnvPool, 1", 1, "to EnvPool", times)
    add("to EnvPool, 1024", 1024, "to EnvPool", times)
    add("to Gymnasium sync, 64", 64, "to sync", times)
    add("to Gymnasium numpy, 1024", 1024, "to numpy", times)
    for size in (16384, 131072):
        add(f"of bare loop, {size}", size, "of bare loop", harness.percent, "1 thread")
    harness.print_table(columns, lines)


def put_into(page: Path, facts: dict[str, Any], rows: Sequence[harness.Row]) -> None:
    """Replaces what a page has between its marks: where the figures are from, and the summary."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        harness.print_environment(facts)
        print_summary(rows)
    harness.put_between(
        page, "<!-- figures: begin -->\n", "<!-- figures: end -->\n", text.getvalue()
    )


def plot(path: Path | None, rows: Sequence[harness.Row]) -> None:
    """A panel for each environment, if a file was named."""
    if path is None:
        return
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(row["environment"] for row in rows))
    columns = min(4, len(names))
    figure, grid = pyplot.subplots(
        -(-len(names) // columns),
        columns,
        figsize=(3.6 * columns, 3.1 * -(-len(names) // columns) + 0.9),
        squeeze=False,
        layout="constrained",
        sharex=True,
        sharey=True,
    )
    for axes in grid.flat[len(names) :]:
        axes.axis("off")
    drawn: dict[str, Any] = {}
    ticks = sorted({row["envs"] for row in rows})
    for name, axes in zip(names, grid.flat, strict=False):
        mine = [row for row in rows if row["environment"] == name]
        sizes = sorted({row["envs"] for row in mine})
        for label, belongs, style in LINES:
            fastest = {
                size: max(
                    (
                        row["median steps/s"]
                        for row in mine
                        if row["envs"] == size and belongs(row["case"])
                    ),
                    default=None,
                )
                for size in sizes
            }
            points = [(size, value) for size, value in fastest.items() if value is not None]
            if points:
                (drawn[label],) = axes.plot(*zip(*points, strict=True), markersize=4, **style)
        axes.set(xscale="log", yscale="log", title=name)
        axes.set_xticks(ticks, [_short(size) for size in ticks], fontsize=8)
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    figure.suptitle("Steps per second over the number of environments (both logarithmic)")
    for axes in grid[-1]:
        axes.set_xlabel("environments")
    for axes in grid[:, 0]:
        axes.set_ylabel("steps per second")
    order = [label for label, _, _ in LINES if label in drawn]
    figure.legend([drawn[label] for label in order], order, loc="outside lower center", ncols=3)
    figure.savefig(path, dpi=110)


def _short(size: int) -> str:
    return f"{size // 1024}k" if size % 1024 == 0 else str(size)
