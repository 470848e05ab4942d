"""Gymnasium spaces as fields of a pool, and values of spaces to and from their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field
from parallel_pool.workers.python_envs.row_checks import RowError, Write, checked_writer

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


def fields_of(env_id: str, space: Any, role: str) -> list[Field]:
    """The fields of a space, depth first. Raises OptionError naming a part that pools cannot have."""
    return [_leaf(env_id, leaf, role, path) for path, leaf in _leaves(env_id, space, role)]


def reader(space: Any, columns: Iterator[Column]) -> Read:
    """Reads values of `space` from the columns of its fields, taken in their order."""
    if isinstance(space, spaces.Dict):
        members = {key: reader(each, columns) for key, each in space.spaces.items()}
        return lambda row: {key: read(row) for key, read in members.items()}
    if isinstance(space, spaces.Tuple):
        parts = [reader(each, columns) for each in space.spaces]
        return lambda row: tuple(read(row) for read in parts)
    column = next(columns)
    if column.ndim == 1 and isinstance(space, spaces.Discrete):
        return column.__getitem__  # a numpy scalar
    return lambda row: column[row].copy()


def writer(space: Any, columns: Iterator[Column], name: str, *, check: bool) -> Write:
    """Writes values of `space` to the columns of its fields, taken in their order.

    name: of the values, for RowErrors. check: whether values that do not fit are refused; otherwise numpy
    converts them.
    """
    members: list[tuple[Any, Write]]
    if isinstance(space, spaces.Dict):
        members = [
            (key, writer(each, columns, f"{name}[{key!r}]", check=check))
            for key, each in space.spaces.items()
        ]
        return lambda row, value: _write_all(members, name, row, value)
    if isinstance(space, spaces.Tuple):
        members = [
            (index, writer(each, columns, f"{name}[{index}]", check=check))
            for index, each in enumerate(space.spaces)
        ]
        return lambda row, value: _write_all(members, name, row, value)
    column = next(columns)
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


def _leaf(env_id: str, space: Any, role: str, path: str) -> Field:
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
    raise OptionError(
        f"{env_id}: its {role} space has a {type(space).__name__}{f' at {path!r}' if path else ''}; a pool "
        "holds Box, Discrete, MultiDiscrete, MultiBinary, and Dict and Tuple of these. Wrap the "
        "environment, or use gymnasium.make_vec"
    )
