"""Batches: trees of arrays with one row per environment. Whole batches are joined, sorted and extended here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.schema.object_rows import ObjectRows
from parallel_pool.schema.texts import Texts, over_rows
from parallel_pool.schema.trees import is_tuple, leaves, map_tree, tuple_like


def concatenated(parts: Sequence[Any], counts: Sequence[int] = ()) -> Any:
    """The rows of all parts in order. Keys that only some dicts have are zero, False or None elsewhere.

    counts: how many rows each has; only dicts inside of others, which may be empty, need them.
    """
    first = parts[0]
    if isinstance(first, dict) and all(isinstance(each, dict) for each in parts):
        return _joined(parts, counts or [len(leaves(each)[0]) for each in parts])
    if is_tuple(first):
        return tuple_like(first, [concatenated(each) for each in zip(*parts, strict=True)])
    if isinstance(first, ObjectRows):
        return ObjectRows(chain.from_iterable(parts))
    if isinstance(first, Texts):
        return Texts(np.concatenate([each.bytes for each in parts]))
    if _have_an_array(parts):
        return np.concatenate(parts)
    rows = [row for each, count in zip(parts, counts, strict=True) for row in _rows(each, count)]
    return objects(range(len(rows)), rows, len(rows))


def reordered(batch: Any, rows: Any) -> Any:
    """The same rows in this order."""
    return map_tree(partial(over_rows, lambda array: array[rows]), batch)


def merge_rows(all_rows: Any, rows: Any, ids: npt.NDArray[Any]) -> Any:
    """A copy of `all_rows` with the rows `ids` replaced."""

    def merged(old: npt.NDArray[Any], new: npt.NDArray[Any]) -> npt.NDArray[Any]:
        array = old.copy()
        array[ids] = new
        return array

    return map_tree(partial(over_rows, merged), all_rows, rows)


def scatter_info(info: dict[str, Any], mask: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """The infos of some environments as infos of all: zeros, None, and False in the masks, elsewhere."""

    def scattered(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        array = _empty(rows, len(mask))
        array[mask] = rows
        return array

    full: dict[str, Any] = map_tree(scattered, info)
    return full


def objects(where: Sequence[int], values: Sequence[Any], rows: int) -> npt.NDArray[Any]:
    """An object array with these values in the rows `where`, None in the others."""
    column = np.full(rows, None, object)
    for row, value in zip(where, values, strict=True):
        column[row] = value
    return column


def bends_none(common: np.dtype[Any], parts: Sequence[npt.NDArray[Any]]) -> bool:
    """Whether this dtype, which numpy finds for all of these values, leaves them what they are.

    Numbers may become floats if some are and the floats hold them; they become no texts, and no times.
    """
    kinds = {each.dtype.kind for each in parts}
    if kinds == {common.kind}:
        return True
    return (
        common.kind in kinds
        and kinds <= set("biufc")
        and (common.kind in "biu" or all(map(_floats_hold, parts)))
    )


def _floats_hold(numbers: npt.NDArray[Any]) -> bool:
    """Whether a float has each of them: numpy finds one that does for all but integers of 64 bits."""
    if numbers.dtype.kind not in "iu" or numbers.dtype.itemsize < 8:
        return True
    return bool(((numbers >= -(2**53)) & (numbers <= 2**53)).all())


def row_values(column: npt.NDArray[Any]) -> list[Any]:
    """The value of each row: numbers and texts of Python, else what numpy has, as Python has no nanoseconds."""
    plain = column.ndim == 1 and column.dtype.kind in "biufcUO"
    return column.tolist() if plain else list(column)


def is_mask(key: Any, info: Mapping[Any, Any]) -> bool:
    """Whether it says, as Gymnasium's infos do, which rows have another key."""
    return isinstance(key, str) and key.startswith("_") and key[1:] in info


def _joined(parts: Sequence[dict[str, Any]], counts: Sequence[int]) -> dict[str, Any]:
    masks_of = [_masks(part) for part in parts]
    masks = set().union(*masks_of)
    joined: dict[str, Any] = {}
    for key in dict.fromkeys(key for part in parts for key in part):
        # Another part may have a value under this key.
        having = masks_of if key in masks else parts
        known = next(part[key] for part, keys in zip(parts, having, strict=True) if key in keys)
        joined[key] = concatenated(
            [
                part[key] if key in keys else map_tree(partial(_empty, count=count), known)
                for part, keys, count in zip(parts, having, counts, strict=True)
            ],
            counts,
        )
    for key, column in joined.items():
        if f"_{key}" in masks and isinstance(column, np.ndarray) and column.dtype == object:
            column[~joined[f"_{key}"]] = None  # zeros of parts that were arrays
    return joined


def _masks(info: Mapping[Any, Any]) -> set[str]:
    """Those of its keys that are the masks of others."""
    return {f"_{key}" for key in info} & info.keys()


def _have_an_array(parts: Sequence[Any]) -> bool:
    """Whether these rows have an array in common. Infos may differ."""
    if any(isinstance(each, dict) for each in parts):
        return False
    try:
        common = np.result_type(*{each.dtype for each in parts})
    except TypeError:
        return False
    return len({each.shape[1:] for each in parts}) == 1 and bends_none(common, parts)


def _empty(rows: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    """So many rows of zeros, False or None, with the layout of these."""
    shape = (count, *rows.shape[1:])
    if rows.dtype == object:
        return np.full(shape, None, object)
    return np.zeros(shape, rows.dtype)


def _rows(part: Any, count: int) -> list[Any]:
    """The value of each row; of a dict the dict of what the row has, as its masks say."""
    if not isinstance(part, dict):
        return row_values(part)
    rows: list[dict[Any, Any]] = [{} for _ in range(count)]
    masks = _masks(part)
    for key, column in part.items():
        if key in masks:
            continue
        given = part.get(f"_{key}", [True] * count)
        for row, value, has in zip(rows, _rows(column, count), given, strict=True):
            if has:
                row[key] = value
    return rows
