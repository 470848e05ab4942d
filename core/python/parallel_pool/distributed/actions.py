"""Validates actions before any of them is sent to an actor, so that an invalid action steps no environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from parallel_pool.learning.arrays import as_numpy


def checked(space: spaces.Space[Any], action: Any, ids: npt.NDArray[Any], nan: str) -> Any:
    """The actions of the environments `ids` as arrays with the layout of the action space, one row each.

    nan: the pool's `nan_action`. Raises TypeError or ValueError, which name the environment and the value.
    """
    if isinstance(space, spaces.Dict):
        return {key: checked(each, action[key], ids, nan) for key, each in space.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(
            checked(each, part, ids, nan) for each, part in zip(space, action, strict=True)
        )
    array = as_numpy(action)
    shape = (len(ids), *(space.shape or ()))
    if array.shape != shape:
        raise ValueError(f"actions have shape {array.shape}, expected {shape}, one row for each")
    if isinstance(space, spaces.Box) and space.dtype.kind == "f":
        return _finite(array, ids, nan)
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions are of dtype {array.dtype}, expected integers")
    low, high = _bounds(space)
    wrong = (array < low) | (array > high)
    if wrong.any():
        row = np.argwhere(wrong)[0]
        raise ValueError(
            f"environment {ids[row[0]]}: action {array[tuple(row)]} is outside of {space}"
        )
    return array


def _bounds(space: spaces.Space[Any]) -> tuple[Any, Any]:
    if isinstance(space, spaces.Discrete):
        return space.start, space.start + space.n - 1
    if isinstance(space, spaces.MultiDiscrete):
        return space.start, space.start + space.nvec - 1
    if isinstance(space, spaces.MultiBinary):
        return 0, 1
    assert isinstance(space, spaces.Box)
    return space.low, space.high


def _finite(array: npt.NDArray[Any], ids: npt.NDArray[Any], nan: str) -> npt.NDArray[Any]:
    if array.dtype.kind not in "fiu":
        raise TypeError(f"actions are of dtype {array.dtype}, expected real numbers")
    if nan == "raise" and not np.isfinite(array).all():
        row = np.argwhere(~np.isfinite(array))[0]
        raise ValueError(
            f"environment {ids[row[0]]}: action {array[tuple(row)]}: nan_action='clip' or 'truncate' takes it"
        )
    return array
