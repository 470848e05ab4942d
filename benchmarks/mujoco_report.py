"""The figures of mujoco_speed.py as Markdown and as a chart."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import harness

END = "<!-- end of figures -->"
CASES = {
    "ParallelPool sync": "C0o-",
    "ParallelPool async": "C0s--",
    "EnvPool sync": "C1o-",
    "EnvPool async": "C1s--",
    "Gymnasium sync": "C2o-",
    "Gymnasium async": "C2s--",
    "dm_control sync": "C2o-",
    "dm_control async": "C2s--",
    "mujoco.rollout": "C3^:",
}
"""How each is drawn."""
Columns = dict[str, Callable[[Any], str]]


@dataclass(frozen=True)
class Page:
    """Where the figures go, and which of them."""

    script: str
    path: str
    packages: tuple[str, ...]
    """Whose versions are named."""
    cases: tuple[str, ...]
    """What their names begin with."""
    columns: tuple[str, ...] = ()
    """Of the speeds, besides the usual ones: ratios."""

    @property
    def begin(self) -> str:
        """The mark that the figures follow."""
        return f"<!-- figures: python benchmarks/{self.script} --table {self.path} -->"


def markdown(page: Page, figures: dict[str, Any]) -> str:
    """What was measured where, and a table per part."""
    facts = figures["environment"]
    versions = ", ".join(f"{name} {facts['versions'][name]}" for name in page.packages)
    parts = [
        f"{facts['cpu']}, {facts['usable_cpus']} CPUs, {facts['system']}, Python {facts['python']}, "
        f"{versions}; load average {facts['load_average']:.1f} at the start. `{facts['command']}`"
    ]
    percent, times = harness.percent, harness.times
    if rows := figures.get("speed"):
        columns: Columns = {"task": str, "envs": str, "case": str}
        columns |= {"steps/s": harness.whole, "steps/CPU-s": harness.whole}
        columns |= dict.fromkeys(("of bare, wall", "of bare, CPU"), percent)
        columns |= dict.fromkeys(("to EnvPool, wall", "to EnvPool, CPU"), times)
        columns |= dict.fromkeys(page.columns, times)
        shown = [each for each in rows if each["case"].startswith(page.cases)]
        parts.append(harness.table(columns, shown).rstrip())
    if rows := figures.get("barrier"):
        parts.append(
            "Idle share of the threads, by how a batch is shared out (computed from the cost of every step):"
        )
        ways = [key for key in rows[0] if key not in ("task", "envs")]
        heads = [f"{row['task'].partition('-')[0]}, {row['envs']}" for row in rows]
        flipped = [
            {"a batch is shared out": way, **{h: r[way] for h, r in zip(heads, rows, strict=True)}}
            for way in ways
        ]
        share: Columns = {"a batch is shared out": str, **dict.fromkeys(heads, tenths)}
        parts.append(harness.table(share, flipped).rstrip())
    if rows := figures.get("startup"):
        parts.append("Built and reset:")
        start: Columns = {"task": str, "envs": harness.whole, "pool": str}
        start |= dict.fromkeys(("seconds", "CPU seconds", "MB per env"), hundredths)
        parts.append(harness.table(start, rows).rstrip())
    if rows := figures.get("pixels"):
        parts.append("Pictures drawn by the CPU:")
        drawn: Columns = {"task": str, "size": str, "case": str, "ms": hundredths}
        parts.append(harness.table({**drawn, "CPU ms": hundredths}, rows).rstrip())
    return "\n\n".join(parts)


def put_into(page: Page, file: Path, figures: dict[str, Any], chart: Path | None = None) -> None:
    """Replaces what is between the marks of the file, with the chart. Without marks: SystemExit."""
    parts = [markdown(page, figures)]
    if chart is not None:
        place = os.path.relpath(chart, file.parent)
        parts.insert(0, f"![Steps per second, of a bare loop's]({place})")
    harness.put_between(file, page.begin, END, "\n\n".join(["", *parts, ""]))


def plot(path: Path, figures: dict[str, Any]) -> None:
    """Steps per second as shares of the bare loop's, by the number of environments; a panel per task."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    rows = figures["speed"]
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    lines = -(-len(tasks) // 3)
    figure, panels = pyplot.subplots(
        lines,
        min(3, len(tasks)),
        figsize=(4 * min(3, len(tasks)), 3.7 * lines),
        sharey=True,
        layout="constrained",
        squeeze=False,
    )
    for axes, task in zip(panels.flat, tasks, strict=False):
        for case, style in CASES.items():
            mine = [row for row in rows if (row["task"], row["case"]) == (task, case)]
            if mine:
                x = [row["envs"] for row in mine]
                axes.plot(x, [100 * row["of bare, wall"] for row in mine], style, label=case)
        axes.axhline(100, color="black", linewidth=0.8)
        axes.set(title=task, xscale="log", xlabel="environments", ylim=(0, None))
        sizes = sorted({row["envs"] for row in rows})
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    for line in panels:
        line[0].set_ylabel("steps per second, % of a bare loop")
    known = {
        label: line
        for axes in panels.flat
        for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(known.values(), known, fontsize="small", loc="outside lower center", ncols=4)
    figure.savefig(path, dpi=110)


def hundredths(value: float) -> str:
    """Two places."""
    return f"{value:,.2f}"


def tenths(value: float) -> str:
    """A share, to a tenth of a percent."""
    return f"{value:.1%}"
