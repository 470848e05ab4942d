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
README = ROOT / "README.md"
PICTURE = ROOT / "docs/images/speed.png"
BEGIN = "<!-- figures: python benchmarks/every_id.py report -->"
END = "<!-- end of figures -->"
Row = dict[str, Any]


def write(path: Path, ids: Iterable[str]) -> None:
    """Writes the page, the picture, and the table of the README."""
    facts, rows = read(path)
    plot(rows)
    ids = list(ids)
    harness.put_between(PAGE, BEGIN, END, f"\n\n{text(facts, rows, ids)}\n\n")
    harness.put_between(README, BEGIN, END, f"\n\n{harness.table(SUMMARY, summary(rows, ids))}\n")


def read(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """The environment of the last run, and the last row of each case. A line that was cut off is none."""
    facts: dict[str, Any] = {}
    rows: dict[tuple[str, int, str], Row] = {}
    for line in path.read_text().splitlines():
        try:
            content = json.loads(line)
        except json.JSONDecodeError:
            continue
        if "environment" in content:
            facts = content["environment"]
        else:
            rows[content["id"], content["envs"], content["mode"]] = content
    return facts, list(rows.values())


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
        lines = [shown(each) for each in by_id(rows, family)]
        if lines:
            used = {key: how for key, how in COLUMNS.items() if any(key in line for line in lines)}
            parts += [f"### {family}", harness.table(used, sorted(lines, key=_by_ratio)).rstrip()]
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


def by_id(rows: Iterable[Row], family: str) -> list[dict[str, Row]]:
    """The rows of each id by their kind, for ids with one in lockstep."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        if row["id"].startswith(f"{family}/") and "failed" not in row:
            kind = "one" if row["envs"] == 1 else row["mode"]
            found.setdefault(row["id"], {})[kind] = row
    return [each for each in found.values() if "sync" in each]


def ratios_of(lines: Iterable[dict[str, Row]], kind: str) -> list[float]:
    """To EnvPool, sorted, of the ids that have one."""
    return sorted(ratio for each in lines if (ratio := each.get(kind, {}).get("to EnvPool")))


def summary(rows: Iterable[Row], ids: list[str]) -> list[Row]:
    """Per family: of how many ids there is a ratio to EnvPool; slowest, median and fastest of each kind."""
    rows = list(rows)
    found = []
    for family in families(rows):
        mine = by_id(rows, family)
        line: Row = {"family": family}
        for kind, title in KINDS.items():
            ratios = ratios_of(mine, kind)
            if ratios:
                shown = (f"{each:.1f}" for each in (ratios[0], median(ratios), ratios[-1]))
                line[title] = " / ".join(shown)
        measured = sum(any(row.get("to EnvPool") for row in each.values()) for each in mine)
        line["ids"] = f"{measured} of {sum(each.startswith(f'{family}/') for each in ids)}"
        if len(line) > 2:
            found.append(line)
    return found


def shown(kinds: dict[str, Row]) -> Row:
    """An id's line of a family's table; without what no row of it has."""
    row = kinds["sync"]
    ours = row["pools"]["ParallelPool"]
    line = {
        "id": row["id"].partition("/")[2],
        "envs": str(row["envs"]),
        "steps/s": ours["steps/s"],
        "start": ours["start s"],
        "MB": max(0.0, ours["grown MB"]),
        "to EnvPool": row.get("to EnvPool"),
        "to Gymnasium": row.get("to Gymnasium"),
        "of bare loop": row.get("of bare loop"),
        "in batches": kinds.get("async", {}).get("to EnvPool"),
        "one": kinds.get("one", {}).get("to EnvPool"),
        "one, to Gymnasium": kinds.get("one", {}).get("to Gymnasium"),
    }
    return {key: value for key, value in line.items() if value is not None}


def _by_ratio(line: Row) -> tuple[bool, float, str]:
    ratio = line.get("to EnvPool")
    return ratio is None, ratio or line.get("to Gymnasium") or 0.0, line["id"]


def plot(rows: Iterable[Row], path: Path = PICTURE) -> None:
    """A line per family: its ratios to EnvPool, sorted."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    rows = list(rows)
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    for family in families(rows):
        ratios = ratios_of(by_id(rows, family), "sync")
        if not ratios:
            continue
        share = [(index + 0.5) / len(ratios) for index in range(len(ratios))]
        axes.plot(share, ratios, marker=".", label=f"{family} ({len(ratios)})")
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set(yscale="log", xlabel="share of the ids", ylabel="times as fast as EnvPool")
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _seconds(value: float) -> str:
    return f"{value:.2f}"


KINDS = {"sync": "in lockstep", "async": "in batches", "one": "one environment"}
SUMMARY: dict[str, Callable[[Any], str]] = dict.fromkeys(("family", "ids", *KINDS.values()), str)
COLUMNS: dict[str, Callable[[Any], str]] = {"id": str, "envs": str, "steps/s": harness.whole}
COLUMNS |= dict.fromkeys(
    ("to EnvPool", "in batches", "one", "to Gymnasium", "one, to Gymnasium"), harness.times
)
COLUMNS |= {"of bare loop": harness.percent, "start": _seconds, "MB": _seconds}
