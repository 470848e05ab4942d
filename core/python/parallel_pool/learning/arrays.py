"""Arrays of numpy, torch and JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from parallel_pool.imports.libraries import imported
from parallel_pool.schema.masks import refuse_mask
from parallel_pool.tensors.convert import torch_module
from parallel_pool.tensors.transfer import torch_device
from parallel_pool.xla.library import OLDEST as OLDEST_JAX

Output = Literal["numpy", "torch", "jax"]


def as_numpy(array: Any) -> npt.NDArray[Any]:
    """The same values as numpy arrays. Tensors are detached from their gradient and copied to the CPU."""
    if type(array) is np.ndarray:  # the fast path: called several times in every step
        return array
    refuse_mask("the array", array)
    if hasattr(array, "detach"):
        array = array.detach().cpu()
        if str(array.dtype) == "torch.bfloat16":  # numpy has none
            array = array.float()
    return np.asarray(array)


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
        jax = imported("jax", OLDEST_JAX, "output='jax'")
        # A JAX array never changes, so it may not share memory that is written again.
        return lambda array: jax.device_put(array.copy(), device)
    raise ValueError(f"output is {output!r}, expected 'numpy', 'torch' or 'jax'")
