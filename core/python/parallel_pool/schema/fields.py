"""Field lists as trees: "obs/arm/pos" style paths become nested dicts, numbered parts become tuples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NotRequired, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt

from parallel_pool.schema.trees import put


class Field(TypedDict):
    """One array of the interface, as `_core.Plugin.describe` gives it."""

    role: str
    name: str
    kind: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    low: npt.NDArray[Any] | None
    high: npt.NDArray[Any] | None
    per_player: bool
    space: NotRequired[Any]
    """Of the kind "object": Gymnasium's. Its column of the batch has no meaning."""


Result = TypeVar("Result")


def tree_of(
    fields: Sequence[Field],
    role: str,
    leaf: Callable[[int, Field], Any],
    make_dict: Callable[[dict[str, Any]], Any] = dict,
    make_tuple: Callable[[list[Any]], Any] = tuple,
    per_player: bool | None = None,
) -> Any:
    """The fields of one role as a tree of `leaf(number, field)`.

    per_player: only those fields that are (True) or are not (False) there for each player. A single
    nameless field is the tree itself. Without any field of the role: `make_dict({})`.
    """
    root: dict[str, Any] = {}
    for number, field in enumerate(fields):
        if field["role"] != role or per_player not in (None, field["per_player"]):
            continue
        if not field["name"]:
            return leaf(number, field)
        # In a tuple, as it may be a dict itself.
        put(root, field["name"].split("/"), (leaf(number, field),))
    return _fold(root, make_dict, make_tuple)


def _fold(
    node: dict[str, Any],
    make_dict: Callable[[dict[str, Any]], Any],
    make_tuple: Callable[[list[Any]], Any],
) -> Any:
    members = {
        name: child[0] if isinstance(child, tuple) else _fold(child, make_dict, make_tuple)
        for name, child in node.items()
    }
    if members and list(members) == [str(index) for index in range(len(members))]:
        return make_tuple(list(members.values()))
    return make_dict(members)


def bounds(field: Field) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The inclusive bounds of every element; where none are declared, those of the dtype."""
    dtype, shape = field["dtype"], field["shape"]
    least: Any
    most: Any
    if dtype.kind == "f":
        least, most = -np.inf, np.inf
    elif dtype.kind == "b":
        least, most = False, True
    else:
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    low = least if field["low"] is None else field["low"]
    high = most if field["high"] is None else field["high"]
    return (
        np.broadcast_to(np.asarray(low, dtype), shape).copy(),
        np.broadcast_to(np.asarray(high, dtype), shape).copy(),
    )
