"""The page of every_id.py from its file: a table per family sorted by ratio, and a picture of all ratios."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Any

import harness

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/speed.md"
PICTURE = ROOT / "docs/images/speed.png"
BEGIN = "<!-- figures: python benchmarks/every_id.py report -->"
END = "<!-- end of figures -->"
Row = dict[str, Any]


def write(path: Path, ids: Iterable[str]) -> None:
    """Writes the page and the picture."""
    facts, rows = read(path)
    plot(rows)
    harness.put_between(PAGE, BEGIN, END, f"\n\n{text(facts, rows, list(ids))}\n\n")


def read(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """The environment of the last run, and the rows of all. A line that was cut off is none."""
    facts: dict[str, Any] = {}
    rows = []
    for line in path.read_text().splitlines():
        try:
            content = json.loads(line)
        except json.JSONDecodeError:
            continue
        if "environment" in content:
            facts = content["environment"]
        else:
            rows.append(content)
    return facts, rows


def text(facts: dict[str, Any], rows: list[Row], ids: list[str]) -> str:
    """Where it was measured, the summary, a table per family, what failed."""
    versions = ", ".join(
        f"{name} {facts['versions'][name]}" for name in ("parallel-pool", "envpool", "gymnasium")
    )
    loads = [row["load"] for row in rows]
    parts = [
        f"{facts['cpu']}, {facts['usable_cpus']} CPUs, Python {facts['python']}, {versions}; load "
        f"average {min(loads):.1f} to {max(loads):.1f}. `python benchmarks/every_id.py`",
        harness.table(SUMMARY, summary(rows, ids)).rstrip(),
    ]
    for family in families(rows):
        mine = [row for row in rows if row["id"].startswith(f"{family}/") and "failed" not in row]
        if mine:
            lines = [shown(row) for row in sorted(mine, key=_by_ratio)]
            parts += [f"### {family}", harness.table(COLUMNS, lines).rstrip()]
    failed = [row for row in rows if "failed" in row]
    if failed:
        parts.append("### Without a figure")
        parts.append(
            "\n".join(f"- `{r['id']}`, {r['envs']}, {r['mode']}: {r['failed']}" for r in failed)
        )
    return "\n\n".join(parts)


def families(rows: Iterable[Row]) -> list[str]:
    """In alphabetical order."""
    return sorted({row["id"].partition("/")[0] for row in rows})


def summary(rows: Iterable[Row], ids: list[str]) -> list[Row]:
    """Slowest, median and fastest of each family, and of how many ids."""
    rows = [row for row in rows if row.get("to EnvPool") is not None]
    found = []
    for family in families(rows):
        mine = sorted((r for r in rows if r["id"].startswith(f"{family}/")), key=_by_ratio)
        count = len({row["id"] for row in mine})
        found.append(
            {
                "family": family,
                "ids": f"{count} of {sum(each.startswith(f'{family}/') for each in ids)}",
                "slowest": mine[0]["to EnvPool"],
                "median": median(row["to EnvPool"] for row in mine),
                "fastest": mine[-1]["to EnvPool"],
            }
        )
    return found


def shown(row: Row) -> Row:
    """A row of a family's table."""
    ours = row["pools"]["ParallelPool"]
    return {
        **row,
        "id": row["id"].partition("/")[2],
        "envs": str(row["envs"]),
        "steps/s": ours["steps/s"],
        "start": ours["start s"],
        "MB": max(0.0, ours["grown MB"]),
    }


def _by_ratio(row: Row) -> tuple[bool, float, str]:
    ratio = row.get("to EnvPool")
    return ratio is None, ratio or row.get("to Gymnasium") or 0.0, row["id"]


def plot(rows: Iterable[Row], path: Path = PICTURE) -> None:
    """A line per family: its ratios to EnvPool, sorted."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    rows = [row for row in rows if row.get("to EnvPool") is not None]
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    for family in families(rows):
        ratios = sorted(r["to EnvPool"] for r in rows if r["id"].startswith(f"{family}/"))
        share = [(index + 0.5) / len(ratios) for index in range(len(ratios))]
        axes.plot(share, ratios, marker=".", label=f"{family} ({len(ratios)})")
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set(yscale="log", xlabel="share of the cases", ylabel="times as fast as EnvPool")
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _seconds(value: float) -> str:
    return f"{value:.2f}"


SUMMARY: dict[str, Callable[[Any], str]] = {"family": str, "ids": str}
SUMMARY |= dict.fromkeys(("slowest", "median", "fastest"), harness.times)
COLUMNS: dict[str, Callable[[Any], str]] = {"id": str, "envs": str, "mode": str}
COLUMNS |= {"steps/s": harness.whole, "to EnvPool": harness.times, "to Gymnasium": harness.times}
COLUMNS |= {"of bare loop": harness.percent, "start": _seconds, "MB": _seconds}
