"""Rows of a rollout: memory for them, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import create_empty_array
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import leaves, map_tree, torch_device, torch_module

from parallel_pool_learning.arrays import as_numpy, concatenated, index_for, put, taken


def empty_rows(space: Any, num_envs: int, steps: int) -> Any:
    """Arrays (steps, num_envs, ...) for values of a space, with the layout of the pool's results."""
    return map_tree(lambda row: np.empty((steps, *row.shape), row.dtype), _step_of(space, num_envs))


def rows_on_a_device(space: Any, num_envs: int, steps: int, device: Any) -> Any:
    """Uninitialised tensors on a device, like `empty_rows`. Raises OptionError if it has no room for them."""
    torch = torch_module()
    where = torch_device(torch, device)
    step = _step_of(space, num_envs)

    def free() -> int:
        """torch frees what it keeps for reuse before it gives up."""
        cuda = torch.cuda
        return int(
            cuda.mem_get_info(where)[0] + cuda.memory_reserved(where) - cuda.memory_allocated(where)
        )

    def refused() -> OptionError:
        return OptionError(
            f"observations of {steps - 1} steps of {num_envs} environments take "
            f"{steps * nbytes(step) / 1e9:.1f} GB, and {where} has {free() / 1e9:.1f} GB left: take fewer "
            "steps or environments, or device=None, which keeps them in the CPU's memory"
        )

    def room(row: Any) -> Any:
        return torch.empty((steps, *row.shape), dtype=torch.from_numpy(row).dtype, device=where)

    if where.type == "cuda" and steps * nbytes(step) > free():
        raise refused()
    try:
        return map_tree(room, step)
    except torch.cuda.OutOfMemoryError as error:
        raise refused() from error
    except (RuntimeError, TypeError) as error:
        if where.type != "cpu":
            raise
        raise MemoryError(error) from error  # numpy raises the same


def _step_of(space: Any, num_envs: int) -> Any:
    """Arrays (num_envs, ...) for the values of one step. Raises OptionError for what is no array."""

    def array(made: Any) -> Any:
        if not isinstance(made, np.ndarray) or made.dtype == object:
            raise OptionError(f"{space} has parts that are no arrays, which cannot be kept")
        return made

    return map_tree(array, create_empty_array(space, num_envs))


def nbytes(rows: Any) -> int:
    """Bytes of all arrays."""
    return sum(array.nbytes for array in leaves(rows))


def per_env(name: str, given: Any, rows: int) -> npt.NDArray[Any]:
    """The array `name`. Raises ValueError if it has not one row for each environment."""
    array = as_numpy(given)
    if array.shape[:1] != (rows,):
        raise ValueError(
            f"{name} has shape {array.shape}, expected one row for each of {rows}: ({rows}, ...)"
        )
    return array


def put_rows(name: str, kept: Any, given: Any) -> None:
    """Copies the array or tensor `name`. Raises ValueError if its shape differs."""
    shape = tuple(np.shape(given))
    if shape != tuple(kept.shape):
        raise ValueError(f"{name} has shape {shape}, expected {tuple(kept.shape)}")
    put(kept, given)


def last_rows(info: dict[str, Any], ids: npt.NDArray[Any]) -> Any:
    """The last observations of the environments `ids`, from a result in SameStep mode."""
    if "final_obs_dense" in info:
        return map_tree(lambda array: taken(array, index_for(array, ids)), info["final_obs_dense"])
    rows = [info["final_obs"][i] for i in ids]
    return map_tree(lambda *each: concatenated([one[None] for one in each]), *rows)


def joined_rows(
    last: Mapping[int, tuple[npt.NDArray[Any], Any]],
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Any]:
    """Steps, environments and observations, one row each, of environments and observations by step."""
    steps = np.concatenate([np.full(len(ids), step) for step, (ids, _) in last.items()])
    ids = np.concatenate([ids for ids, _ in last.values()])
    obs = map_tree(lambda *rows: concatenated(rows), *(rows for _, rows in last.values()))
    return steps, ids, obs
