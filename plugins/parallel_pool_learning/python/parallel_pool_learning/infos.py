"""Converts batched infos to one dict per environment."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from parallel_pool.pool_api import is_mask, row_values


def fill_rows(
    rows: list[dict[str, Any]], info: Mapping[str, Any], *, leave_out: Container[str] = ()
) -> None:
    """Adds to each of `rows` the values of that environment in `info`, which is batched as in Gymnasium.

    Scalars become Python numbers; values with further dimensions stay arrays, which share the batch's memory.
    """
    for name, column in info.items():
        if name in leave_out or is_mask(name, info):
            continue
        mask = info.get(f"_{name}")
        given: Iterable[int] = range(len(rows))
        if mask is not None and not mask.all():
            given = mask.nonzero()[0].tolist()
        if isinstance(column, Mapping):
            values: Any = [{} for _ in rows]
            fill_rows(values, column)
        else:
            values = row_values(column)
        for row in given:
            rows[row][name] = values[row]
