"""Arrays of numpy, torch and JAX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from parallel_pool.pool_api import imported, refuse_mask, torch_device, torch_module

Output = Literal["numpy", "torch", "jax"]


def as_numpy(array: Any) -> npt.NDArray[Any]:
    """Returns the values as numpy arrays. Tensors are detached from their gradient and copied to the CPU."""
    if type(array) is np.ndarray:  # the fast path: called several times in every step
        return array
    refuse_mask("the array", array)
    if hasattr(array, "detach"):
        array = array.detach().cpu()
        if str(array.dtype) == "torch.bfloat16":  # numpy has none
            array = array.float()
    return np.asarray(array)


def float32_of(values: Any) -> Any:
    """Returns the values as float32, in an array if they are one, or in a tensor on its device."""
    return values.float() if hasattr(values, "float") else values.astype(np.float32)


def put(kept: Any, given: Any) -> None:
    """Copies values to rows that are kept: in numpy's memory, or in a tensor, which may be on a device."""
    if isinstance(kept, np.ndarray):
        np.copyto(kept, as_numpy(given), casting="same_kind")
    else:
        kept.copy_(_as_tensor(given))


def put_some(kept: Any, rows: npt.NDArray[np.intp], given: Any) -> None:
    """Copies values to some of the rows that are kept."""
    if isinstance(kept, np.ndarray):
        kept[rows] = as_numpy(given)
    else:
        kept[index_for(kept, rows)] = _as_tensor(given).to(kept.device)


def _as_tensor(given: Any) -> Any:
    refuse_mask("the array", given)
    return (
        given.detach() if hasattr(given, "detach") else torch_module().as_tensor(np.asarray(given))
    )


def concatenated(arrays: Sequence[Any]) -> Any:
    """One array of all rows, or one tensor."""
    first = arrays[0]
    return np.concatenate(arrays) if isinstance(first, np.ndarray) else torch_module().cat(arrays)


def index_for(array: Any, rows: npt.NDArray[np.intp]) -> Any:
    """Row numbers in the type that `taken` needs for arrays like this one: torch is slow with numpy's."""
    if not hasattr(array, "index_select"):
        return rows
    return torch_module().from_numpy(rows).to(array.device)


def taken(array: Any, rows: Any) -> Any:
    """Copies of these rows."""
    return array.index_select(0, rows) if hasattr(array, "index_select") else array.take(rows, 0)


def converter(output: Output, device: Any) -> Callable[[npt.NDArray[Any]], Any]:
    """A function that converts numpy arrays to the learner's: "numpy", "torch" or "jax", on `device`.

    A tensor on the CPU shares the array's memory; JAX copies. Raises LibraryError if the library is missing
    or too old, and ValueError for other names.
    """
    if output == "numpy":
        if device is not None:
            raise ValueError(
                f"device is {device!r}, but numpy has none: leave it out, or output='torch'"
            )
        return lambda array: array
    if output == "torch":
        torch = torch_module()
        if device is not None:
            torch_device(torch, device)

        def tensor(array: npt.NDArray[Any]) -> Any:
            shared = torch.from_numpy(array)
            return shared if device is None else shared.to(device)

        return tensor
    if output == "jax":
        jax = imported("jax", "0.5", "output='jax'")
        # A JAX array never changes, so it may not share memory that is written again.
        return lambda array: jax.device_put(array.copy(), device)
    raise ValueError(f"output is {output!r}, expected 'numpy', 'torch' or 'jax'")
