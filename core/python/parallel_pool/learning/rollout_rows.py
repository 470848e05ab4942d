"""Rows of a rollout: memory for them, and their checks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import create_empty_array

from parallel_pool.errors import OptionError
from parallel_pool.learning.arrays import as_numpy
from parallel_pool.schema.trees import map_tree


def empty_rows(space: Any, num_envs: int, steps: int) -> Any:
    """Arrays (steps, num_envs, ...) for values of a space, with the layout of the pool's results."""

    def room(array: Any) -> npt.NDArray[Any]:
        if not isinstance(array, np.ndarray) or array.dtype == object:
            raise OptionError(f"{space} has parts that are no arrays, which cannot be kept")
        return np.empty((steps, *array.shape), array.dtype)

    return map_tree(room, create_empty_array(space, num_envs))


def per_env(name: str, given: Any, rows: int) -> npt.NDArray[Any]:
    """The array `name`. Raises ValueError if it has not one row for each environment."""
    array = as_numpy(given)
    if array.shape[:1] != (rows,):
        raise ValueError(
            f"{name} has shape {array.shape}, expected one row for each of {rows}: ({rows}, ...)"
        )
    return array


def put_rows(name: str, kept: npt.NDArray[Any], given: Any) -> None:
    """Copies the array `name`. Raises ValueError if its shape differs."""
    array = as_numpy(given)
    if array.shape != kept.shape:
        raise ValueError(f"{name} has shape {array.shape}, expected {kept.shape}")
    np.copyto(kept, array, casting="same_kind")


def last_rows(info: dict[str, Any], ids: npt.NDArray[Any]) -> Any:
    """The last observations of the environments `ids`, from a result in SameStep mode."""
    if "final_obs_dense" in info:
        return map_tree(lambda array: as_numpy(array)[ids], info["final_obs_dense"])
    rows = [info["final_obs"][i] for i in ids]
    return map_tree(lambda *each: np.stack([as_numpy(one) for one in each]), *rows)
