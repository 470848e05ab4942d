"""Infos as libraries have them that want one dict per environment."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any


def fill_rows(
    rows: list[dict[str, Any]], info: Mapping[str, Any], *, leave_out: Container[str] = ()
) -> None:
    """Puts into each of `rows` what `info`, batched as Gymnasium has it, says of that environment.

    Numbers become Python's; what has dimensions of its own stays an array that shares the batch's memory.
    """
    for name, column in info.items():
        if name in leave_out or (name.startswith("_") and name[1:] in info):
            continue
        mask = info.get(f"_{name}")
        given: Iterable[int] = range(len(rows))
        if mask is not None and not mask.all():
            given = mask.nonzero()[0].tolist()
        if isinstance(column, Mapping):
            values: Any = [{} for _ in rows]
            fill_rows(values, column)
        else:
            values = column.tolist() if column.ndim == 1 else column
        for row in given:
            rows[row][name] = values[row]
