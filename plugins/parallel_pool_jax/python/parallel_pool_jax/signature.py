"""Says in words what a program and the pool of its handle must have in common: core/src/xla/signature.hpp."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from parallel_pool.pool_api import PoolConfig, paths
from parallel_pool.pool_api import result_tree as nodes

Arrays = Mapping[nodes.Node, tuple[np.dtype[Any], tuple[int, ...]]]
"""dtype and shape of a row, of each column."""

_SIZES = ("num_envs", "batch_size", "autoreset_mode")


def signature(config: PoolConfig, results: Mapping[str, tuple[Any, Arrays]]) -> str:
    """The lines of a pool. results: name -> (program tree, arrays)."""
    lines = [f"{name} is {config.values[name]}" for name in _SIZES]
    for path, number in _paths(config.action_tree, "the action"):
        field = config.fields[number]
        lines.append(f"{path} is {_said(field['dtype'], field['shape'])}")
    for name, (tree, arrays) in results.items():
        first: dict[nodes.Node, str] = {}
        for path, column in _paths(tree, name):
            if first.setdefault(column, path) != path:
                lines.append(f"{path} is {first[column]}")
            else:
                lines.append(f"{path} is {_said(*arrays[column])}")
    return "\n".join(lines)


def _paths(tree: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The leaves of a tree, each with the path to it; of a computed leaf those that it is computed from."""
    for where, leaf in paths(tree, path):
        if isinstance(leaf, nodes.Computed):
            yield from _paths(leaf.inputs, f"{where}, computed from ")
        else:
            yield where, leaf


def _said(dtype: np.dtype[Any], shape: tuple[int, ...]) -> str:
    return f"{dtype}[{','.join(map(str, shape))}]"
