"""Extends the results of a reset of some environments to all, as Gymnasium's `reset_mask` requires."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def merge_rows(all_rows: Any, rows: Any, ids: npt.NDArray[Any]) -> Any:
    """A copy of `all_rows` with the rows `ids` replaced."""
    if isinstance(all_rows, dict):
        return {key: merge_rows(value, rows[key], ids) for key, value in all_rows.items()}
    if isinstance(all_rows, tuple):
        return tuple(merge_rows(old, new, ids) for old, new in zip(all_rows, rows, strict=True))
    merged = all_rows.copy()
    merged[ids] = rows
    return merged


def scatter_info(info: dict[str, Any], mask: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """The infos of some environments as infos of all: zeros, and False in the masks, elsewhere."""
    full: dict[str, Any] = {}
    for key, value in info.items():
        if isinstance(value, dict):
            full[key] = scatter_info(value, mask)
        else:
            full[key] = np.zeros((len(mask), *value.shape[1:]), value.dtype)
            full[key][mask] = value
    return full
