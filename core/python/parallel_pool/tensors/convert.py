"""Arrays of results as tensors that share their memory, and tensors as actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from parallel_pool.imports.libraries import imported

OLDEST = "2.4"
"""The first torch with all of numpy's dtypes."""


def torch_module() -> Any:
    """The module torch. Raises LibraryError where it is missing or too old."""
    return imported("torch", OLDEST, "output='torch'")


def tensor_converter() -> Callable[[Any], Any]:
    """A function that puts tensors, which share their memory, in place of a result's arrays."""
    from_numpy = torch_module().from_numpy

    def convert(result: Any) -> Any:
        if isinstance(result, np.ndarray):
            if result.dtype == object:
                return _each(convert, result)
            return from_numpy(writeable(result)) if has_tensors(result.dtype) else result
        if isinstance(result, Mapping):
            return {name: convert(member) for name, member in result.items()}
        if isinstance(result, tuple):
            return tuple([convert(member) for member in result])
        return result

    return convert


def has_tensors(dtype: Any) -> bool:
    """Whether torch has such numbers; arrays of others, texts and dates stay as they are."""
    return dtype.isnative and dtype.char in "?bBhHiIlLqefdFD"


def _each(convert: Callable[[Any], Any], array: Any) -> Any:
    """An object array of converted objects."""
    converted = np.empty_like(array)
    for index, member in enumerate(array):
        converted[index] = convert(member)
    return converted


def writeable(array: Any) -> Any:
    """A tensor has no flag that says read-only, so what is shared and may not be written is copied."""
    return array if array.flags.writeable else array.copy()


def on_the_cpu(call: Callable[..., Any]) -> Callable[..., Any]:
    """A pool's `step` or `send` that takes actions on other devices too."""

    def moved(action: Any) -> Any:
        if hasattr(action, "device"):
            return action.cpu() if getattr(action.device, "type", "cpu") != "cpu" else action
        if isinstance(action, Mapping):
            return {name: moved(member) for name, member in action.items()}
        if isinstance(action, tuple):
            return tuple(moved(member) for member in action)
        return action

    def called(action: Any, env_id: Any = None) -> Any:
        return call(moved(action), moved(env_id))

    return called
