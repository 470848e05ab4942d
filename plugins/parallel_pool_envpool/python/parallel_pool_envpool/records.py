"""Trees as named tuples, with EnvPool's names: observations, specs and actions of dm_env's interface."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from parallel_pool.pool_api import put


def record_class(name: str, keys: Iterable[str]) -> Any:
    """A namedtuple class for any keys: other characters become `_`, and the second `x` is `x_1`.

    A key that cannot be the name of a field is named by its place, `_0`; EnvPool raises ValueError.
    """
    fields: list[str] = []
    seen: dict[str, int] = {}
    for key in keys:
        field = re.sub(r"\W", "_", key)
        seen[field] = seen.get(field, -1) + 1
        fields.append(f"{field}_{seen[field]}" if seen[field] else field)
    return namedtuple(re.sub(r"\W|^(?=\d)", "_", name), fields, rename=True)  # noqa: PYI024


def record_of(name: str, tree: Mapping[str, Any]) -> Any:
    """A nested mapping as nested named tuples."""
    return maker_of(name, tree)(tree)


def maker_of(name: str, tree: Any) -> Callable[[Any], Any]:
    """A function that turns mappings and tuples, nested as `tree` is, into named tuples."""
    if isinstance(tree, Mapping):
        cls = record_class(name, tree)
        makers = [(key, maker_of(key, each)) for key, each in tree.items()]
        if all(make is _same for _, make in makers):
            return lambda values: cls(*values.values())
        return lambda values: cls(*(make(values[key]) for key, make in makers))
    if isinstance(tree, tuple):
        parts = [maker_of(f"{name}_{number}", each) for number, each in enumerate(tree)]
        return lambda values: tuple(make(value) for make, value in zip(parts, values, strict=True))
    return _same


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """{"a.b": 1} as {"a": {"b": 1}}."""
    root: dict[str, Any] = {}
    for key, value in flat.items():
        put(root, key.split("."), value)
    return root


def _same(value: Any) -> Any:
    return value
