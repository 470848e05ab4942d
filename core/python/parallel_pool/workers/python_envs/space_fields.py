"""Gymnasium spaces as fields of a pool, and values of spaces to and from their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field
from parallel_pool.schema.text_spaces import ARRAYS
from parallel_pool.workers.python_envs.row_checks import (
    RowError,
    Write,
    checked_writer,
    text_writer,
)

Column = npt.NDArray[Any]
"""One field's rows: the first axis is the lane."""
Read = Callable[[int], Any]
"""From the number of a row to a value of the space, which the caller may keep."""


def field(role: str, name: str, kind: str, dtype: Any, shape: Any = (), **bounds: Any) -> Field:
    """A field, as the native core describes fields."""
    return Field(
        role=role,
        name=name,
        kind=kind,
        dtype=np.dtype(dtype),
        shape=tuple(int(each) for each in shape),
        low=bounds.get("low"),
        high=bounds.get("high"),
        per_player=False,
    )


def fields_of(env_id: str, space: Any, role: str, *, text_bytes: bool = False) -> list[Field]:
    """The fields of a space, depth first. text_bytes: texts are arrays of bytes.

    A part of which Gymnasium makes no array, such as Graph, is a field of the kind "object": its values cross
    by `objects`. Raises OptionError naming a key that pools cannot have.
    """
    return [_leaf(leaf, role, path, text_bytes) for path, leaf in _leaves(env_id, space, role)]


def native(field: Field) -> Field:
    """The field as the native core has it."""
    return {**field, "kind": "box"} if field["kind"] == "object" else field


def reader(space: Any, columns: Iterator[Column], read_object: Callable[[Any], Any]) -> Read:
    """Reads values of `space` from the columns of its fields, taken in their order.

    read_object: makes an object of what its column has.
    """
    if isinstance(space, spaces.Dict):
        members = {key: reader(each, columns, read_object) for key, each in space.spaces.items()}
        return lambda row: {key: read(row) for key, read in members.items()}
    if isinstance(space, spaces.Tuple):
        parts = [reader(each, columns, read_object) for each in space.spaces]
        return lambda row: tuple(read(row) for read in parts)
    column = next(columns)
    if not isinstance(space, ARRAYS):
        return lambda row: read_object(column[row])
    if column.ndim == 1 and isinstance(space, spaces.Discrete):
        return column.__getitem__  # a numpy scalar
    return lambda row: column[row].copy()


def writer(
    space: Any,
    columns: Iterator[Column],
    name: str,
    write_object: Callable[[Any], None],
    *,
    check: bool,
) -> Write:
    """Writes values of `space` to the columns of its fields, taken in their order.

    name: of the values, for RowErrors. write_object: takes the objects of a row, in the order of their fields.
    check: whether values that do not fit are refused; otherwise numpy converts them.
    """
    if isinstance(space, (spaces.Dict, spaces.Tuple)):
        parts = space.spaces.items() if isinstance(space, spaces.Dict) else enumerate(space.spaces)
        members = [
            (key, writer(each, columns, f"{name}[{key!r}]", write_object, check=check))
            for key, each in parts
        ]
        return lambda row, value: _write_all(members, name, row, value)
    column = next(columns)
    if isinstance(space, spaces.Text) and (check or column.ndim > 1):
        into = None if column.ndim == 1 else column
        return text_writer(into, write_object, name, space.max_length)
    if not isinstance(space, ARRAYS):
        return lambda row, value: write_object(value)
    return checked_writer(column, name) if check else column.__setitem__


def _write_all(members: list[tuple[Any, Write]], name: str, row: int, value: Any) -> None:
    for key, write in members:
        try:
            member = value[key]
        except (KeyError, IndexError, TypeError):
            raise RowError(
                f"{name} has nothing at {key!r}, and its space has: it is a {type(value).__name__}"
            ) from None
        write(row, member)


def _leaves(env_id: str, space: Any, role: str, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(space, spaces.Dict):
        keys = list(space.spaces)
        for key in keys:
            if not isinstance(key, str) or not key or "/" in key:
                raise OptionError(
                    f"{env_id}: its {role} space has the key {key!r}; a pool needs texts without '/'"
                )
        if keys == [str(index) for index in range(len(keys))]:
            raise OptionError(
                f"{env_id}: its {role} space is a Dict with the keys {keys}, which a pool takes for a "
                "Tuple; use a Tuple space or other keys"
            )
        members = space.spaces.items()
    elif isinstance(space, spaces.Tuple):
        members = {str(index): each for index, each in enumerate(space.spaces)}.items()
    else:
        yield path, space
        return
    for key, each in members:
        yield from _leaves(env_id, each, role, f"{path}/{key}" if path else key)


def _leaf(space: Any, role: str, path: str, text_bytes: bool) -> Field:
    if isinstance(space, spaces.Discrete):
        low, high = int(space.start), int(space.start + space.n) - 1
        return field(role, path, "discrete", space.dtype, low=low, high=high)
    if isinstance(space, spaces.MultiDiscrete):
        last = space.start + space.nvec - 1
        return field(
            role, path, "multi_discrete", space.dtype, space.shape, low=space.start, high=last
        )
    if isinstance(space, spaces.MultiBinary):
        return field(role, path, "multi_binary", space.dtype, space.shape)
    if isinstance(space, spaces.Box):
        return field(role, path, "box", space.dtype, space.shape, low=space.low, high=space.high)
    if text_bytes and isinstance(space, spaces.Text):
        width = max(len(each.encode()) for each in space.characters or " ") * space.max_length
        return field(role, path, "text", "uint8", (width,), low=0, high=255)
    if role == "obs":
        return {**field(role, path, "object", "uint8"), "space": space}
    return {**field(role, path, "object", "int64", (3,)), "space": space}
