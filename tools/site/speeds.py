"""Reads what was measured of each id from docs/speed.md."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
import every_id_report

LEFT_OUT = ("start", "MB")
"""Columns of that page that say nothing of steps."""


def table(ids: Iterable[str]) -> str:
    """A row for each of the ids that was measured; empty if none was."""
    lines = [measured()[each] for each in ids if each in measured()]
    return every_id_report.table_of_ids(lines, LEFT_OUT) if lines else ""


@cache
def measured() -> dict[str, dict[str, Any]]:
    """By id: its line."""
    _, rows = every_id_report.read(every_id_report.FILE)
    return {
        kinds["sync"]["id"]: every_id_report.shown(kinds)
        for family in every_id_report.families(rows)
        for kinds in every_id_report.by_id(rows, family)
    }
