"""The page of every_id.py from its files: a table per family sorted by ratio, and a picture of all ratios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import figures
from figures import (
    ROOT,
    Columns,
    Row,
    described,
    hundredths,
    percent,
    put,
    rounded,
    table,
    times,
    whole,
)

FILE = Path(__file__).with_name("every_id.jsonl")
BY_NUMBER = FILE.with_name("by_number.jsonl")
PAGE = ROOT / "docs/speed.md"
README = ROOT / "README.md"
PICTURE = ROOT / "docs/images/speed.png"
COMMAND = "python benchmarks/every_id.py report"
OURS = "ParallelPool"
RATIOS = {
    "to EnvPool": "EnvPool",
    "to ale-py": "ale-py",
    "to original": "original",
    "to numpy vector": "numpy vector",
    "of bare loop": "bare loop",
}
"""What a ratio is called, and what the names of those pools begin with."""


def file_of(*, by_number: bool) -> Path:
    """Where `measure` stores rows."""
    return BY_NUMBER if by_number else FILE


def write(ids: Iterable[str]) -> None:
    """Writes the page, the picture, and the tables of the README."""
    facts, rows = read(FILE)
    ids = list(ids)
    put(PAGE, COMMAND, text(facts, rows, ids))
    put(README, COMMAND, table(SUMMARY, summary(rows, ids)))
    plot(rows)
    if not BY_NUMBER.exists():
        return
    facts, rows = read(BY_NUMBER)
    put(README, f"{COMMAND}, by number of environments", by_number_text(facts, rows))


def read(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """The facts of the last run, and the last row of each case.

    A row of some peers adds their pools and ratios to the row before.
    """
    facts, rows = figures.read(path)
    found: dict[tuple[str, int, str], Row] = {}
    for row in rows:
        key = row["id"], row["envs"], row["mode"]
        before = found.get(key)
        if before and "peers" in row and not {"failed"} & (before.keys() | row.keys()):
            ratios = {name: row[name] for name in RATIOS if row.get(name)}
            row = {**before, **ratios, "pools": {**row["pools"], **before["pools"]}}
        found[key] = row
    return facts, list(found.values())


def text(facts: dict[str, Any], rows: Sequence[Row], ids: Sequence[str]) -> str:
    """Where it was measured, the summary, a table per family, what failed."""
    loads = [row["load"] for row in rows]
    facts = {**facts, "command": "python benchmarks/every_id.py"}
    where = described(facts, ("parallel-pool", "envpool", "ale-py", "gymnasium", "minigrid"))
    load = f"load average {min(loads):.1f} to {max(loads):.1f}"
    parts = [where.replace(f"load {facts['load_average']:.1f}", load)]
    parts.append(table(SUMMARY, summary(rows, ids)).rstrip())
    for family in families(rows):
        lines = [shown(each) for each in by_id(rows, family)]
        if lines:
            parts += [f"### {family}", table_of_ids(sorted(lines, key=_by_ratio)).rstrip()]
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


def ratios_of(lines: Iterable[dict[str, Row]], kind: str, ratio: str = "to EnvPool") -> list[float]:
    """Sorted, of the ids that have one."""
    return sorted(value for each in lines if (value := each.get(kind, {}).get(ratio)))


def summary(rows: Sequence[Row], ids: Sequence[str]) -> list[Row]:
    """Per family: how many ids have a ratio; slowest, median and fastest of each kind of rows."""
    found = []
    for family in families(rows):
        mine = by_id(rows, family)
        total = sum(each.startswith(f"{family}/") for each in ids)
        line: Row = {"family": family}
        for ratio, (count, kinds) in SHOWN.items():
            line |= {title: three(ratios_of(mine, kind, ratio)) for kind, title in kinds.items()}
            measured = sum(any(row.get(ratio) for row in each.values()) for each in mine)
            line[count] = f"{measured} of {total}"
        if any(line[title] for _, kinds in SHOWN.values() for title in kinds.values()):
            found.append(line)
    return found


def three(ratios: Sequence[float]) -> str | None:
    """The least, the median and the largest of sorted ratios."""
    if not ratios:
        return None
    return " / ".join(f"{each:.1f}" for each in (ratios[0], median(ratios), ratios[-1]))


def shown(kinds: dict[str, Row]) -> Row:
    """An id's line of a family's table; without what no row of it has."""
    row = kinds["sync"]
    ours = row["pools"][OURS]
    line = {
        "id": row["id"].partition("/")[2],
        "envs": str(row["envs"]),
        "steps/s": ours["steps/s"],
        "start": ours["start s"],
        "MB": max(0.0, ours["grown MB"]),
        "in batches": kinds.get("async", {}).get("to EnvPool"),
        "one": kinds.get("one", {}).get("to EnvPool"),
        "one, to original": kinds.get("one", {}).get("to original"),
    }
    line |= {name: row.get(name) for name in RATIOS}
    return {key: value for key, value in line.items() if value is not None}


def table_of_ids(lines: Sequence[Row], leave_out: Sequence[str] = ()) -> str:
    """Of lines as `shown` gives them; without columns that are empty or left out."""
    used = {
        key: how
        for key, how in COLUMNS.items()
        if key not in leave_out and any(key in line for line in lines)
    }
    return table(used, lines)


def _by_ratio(line: Row) -> tuple[bool, float, str]:
    ratio = line.get("to EnvPool")
    return ratio is None, ratio or line.get("to original") or 0.0, line["id"]


def by_number_text(facts: dict[str, Any], rows: Sequence[Row]) -> str:
    """A table per id: steps per second of each pool, a column for each number of environments and mode."""
    parts = []
    for task_id in dict.fromkeys(row["id"] for row in rows):
        lines: dict[str, Row] = {}
        title = f"{task_id.partition('/')[2]}, environments"
        columns: dict[str, Any] = {title: str}
        for row in sorted(rows, key=lambda row: (row["mode"] == "async", row["envs"])):
            if row["id"] != task_id:
                continue
            name = f"{row['envs']:,}" + (" in batches" if row["mode"] == "async" else "")
            columns[name] = rounded
            for pool, measured in row["pools"].items():
                lines.setdefault(pool, {title: pool})[name] = measured["steps/s"]
        parts.append(table(columns, list(lines.values())).rstrip())
    return "\n\n".join(
        [described(facts, ("parallel-pool", "envpool", "ale-py", "gymnasium")), *parts]
    )


def plot(rows: Sequence[Row]) -> None:
    """A line per family: its ratios to EnvPool, sorted."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

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
    figure.savefig(PICTURE, dpi=110)


SHOWN = {
    "to EnvPool": (
        "in EnvPool",
        {"sync": "in lockstep", "async": "in batches", "one": "one environment"},
    ),
    "to original": (
        "with an original",
        {"sync": "in lockstep, to it", "one": "one environment, to it"},
    ),
}
"""Of ratios in the summary: the title of the number of ids that have one, and of each kind of rows."""
SUMMARY: Columns = dict.fromkeys(
    ["family", *(title for count, kinds in SHOWN.values() for title in (count, *kinds.values()))],
    str,
)
COLUMNS: Columns = {
    "id": str,
    "envs": str,
    "steps/s": whole,
    **dict.fromkeys(("to EnvPool", "in batches", "one", "to ale-py"), times),
    **dict.fromkeys(("to original", "one, to original"), times),
    "of bare loop": percent,
    "start": hundredths,
    "MB": hundredths,
}
