"""Arrays of results as tensors that share their memory, and tensors as actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from parallel_pool.imports.libraries import imported
from parallel_pool.schema.result_tree import Computed, Tree
from parallel_pool.schema.trees import map_tree

OLDEST = "2.4"
"""The first torch with all of numpy's dtypes."""


def torch_module() -> Any:
    """The module torch. Raises LibraryError where it is missing or too old."""
    return imported("torch", OLDEST, "output='torch'")


def as_tensors(tree: Tree) -> Tree:
    """A result tree with tensors as leaves. Made with the result, so that a signal loses neither."""
    return Computed(_converter(torch_module().from_numpy), (tree,))


def _converter(from_numpy: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def convert(result: Any) -> Any:
        if isinstance(result, np.ndarray):
            if result.dtype == object:
                return _each(convert, result)
            # A tensor has no flag that says read-only, so what is shared and may not be written is copied.
            return from_numpy(result if result.flags.writeable else result.copy())
        if isinstance(result, Mapping):
            return {name: convert(member) for name, member in result.items()}
        if isinstance(result, tuple):
            return tuple([convert(member) for member in result])
        return result

    return convert


def _each(convert: Callable[[Any], Any], array: Any) -> Any:
    """An object array of converted objects."""
    converted = np.empty_like(array)
    for index, member in enumerate(array):
        converted[index] = convert(member)
    return converted


def as_arrays(result: Any) -> Any:
    """The arrays that share the memory of a result's tensors, which are on the CPU."""
    return map_tree(lambda leaf: leaf if isinstance(leaf, np.ndarray) else leaf.numpy(), result)


def to_tensors(result: Any) -> Any:
    """What `as_tensors` does to a result."""
    return _converter(torch_module().from_numpy)(result)


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
