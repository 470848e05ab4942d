"""Batches: trees of arrays with one row per environment. Whole batches are joined, sorted and extended here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.schema.texts import Texts, over_rows
from parallel_pool.schema.trees import leaves, map_tree, tuple_like


def concatenated(parts: Sequence[Any]) -> Any:
    """The rows of all parts in order. Keys that only some dicts have are zero, False or None elsewhere."""
    first = parts[0]
    if isinstance(first, dict):
        return _joined(parts)
    if isinstance(first, tuple):
        return tuple_like(first, [concatenated(each) for each in zip(*parts, strict=True)])
    if isinstance(first, Texts):
        return Texts(np.concatenate([each.bytes for each in parts]))
    return np.concatenate(parts)


def reordered(batch: Any, rows: Any) -> Any:
    """The same rows in this order."""
    return map_tree(lambda array: array[rows], batch)


def merge_rows(all_rows: Any, rows: Any, ids: npt.NDArray[Any]) -> Any:
    """A copy of `all_rows` with the rows `ids` replaced."""

    def merged(old: npt.NDArray[Any], new: npt.NDArray[Any]) -> npt.NDArray[Any]:
        array = old.copy()
        array[ids] = new
        return array

    return map_tree(partial(over_rows, merged), all_rows, rows)


def scatter_info(info: dict[str, Any], mask: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """The infos of some environments as infos of all: zeros, and False in the masks, elsewhere."""

    def scattered(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        array = np.zeros((len(mask), *rows.shape[1:]), rows.dtype)
        array[mask] = rows
        return array

    full: dict[str, Any] = map_tree(scattered, info)
    return full


def _joined(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    keys = dict.fromkeys(key for part in parts for key in part)
    counts = [len(leaves(part)[0]) for part in parts]
    joined = {}
    for key in keys:
        known = next(part[key] for part in parts if key in part)
        joined[key] = concatenated(
            [
                part[key] if key in part else _nothing(known, count)
                for part, count in zip(parts, counts, strict=True)
            ]
        )
    return joined


def _nothing(known: Any, count: int) -> Any:
    """So many rows of zeros, False or None, with the layout of `known`."""

    def empty(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        shape = (count, *rows.shape[1:])
        if rows.dtype == object:
            return np.full(shape, None, object)
        return np.zeros(shape, rows.dtype)

    return map_tree(empty, known)
