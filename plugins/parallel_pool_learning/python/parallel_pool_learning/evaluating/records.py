"""The records of episodes, kept while they are played."""

from __future__ import annotations

import zlib
from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import leaves, map_tree

from parallel_pool_learning.arrays import as_numpy

RECORDS = ("obs", "actions", "rewards", "states", "frames")


def expect_records(record: Collection[str]) -> None:
    """Raises OptionError unless all of these can be recorded."""
    given = [record] if isinstance(record, str) else record
    for name in given:
        if name not in RECORDS or given is not record:
            raise OptionError(
                f"record is {record!r}, expected some of {', '.join(map(repr, RECORDS))}, in a tuple or list"
            )


class Records:
    """The rows of one episode, of those `RECORDS` that were asked for."""

    def __init__(self, record: Collection[str]) -> None:
        self._rows: dict[str, list[Any]] = {name: [] for name in record}

    def add(self, name: str, value: Any) -> None:
        """Keeps a value, if it was asked for; rows of batches have to be copies."""
        if name in self._rows:
            self._rows[name].append(value)

    def arrays(self) -> dict[str, Any]:
        """Members of an `Episode`."""
        return {
            name: rows if name in ("states", "frames") else map_tree(_stacked, *rows)
            for name, rows in self._rows.items()
            if rows
        }


def row_of(tree: Any, row: int) -> Any:
    """A copy of a row, in numpy's arrays; texts and objects stay what they are."""

    def one(leaf: Any) -> Any:
        value = leaf[row]
        return np.array(as_numpy(value)) if hasattr(value, "dtype") else value

    return map_tree(one, tree)


def info_of(info: dict[str, Any], name: str, row: int) -> Any:
    """An info of a row; None where it has none."""
    mask = info.get(f"_{name}")
    if name not in info or (mask is not None and not bool(mask[row])):
        return None
    if isinstance(inner := info[name], dict):  # with masks of its own
        return {
            key: info_of(inner, key, row) for key in inner if key[:1] != "_" or key[1:] not in inner
        }
    value = row_of(inner, row)
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def digest(tree: Any, row: int) -> int:
    """A number of the values in a row."""
    number = 0
    for leaf in leaves(tree):
        value = leaf[row]
        data = as_numpy(value).tobytes() if hasattr(value, "dtype") else repr(value).encode()
        number = zlib.crc32(data, number)
    return number


def mixed(numbers: npt.NDArray[np.uint64], rewards: npt.NDArray[np.float64]) -> Any:
    """Numbers that depend on those before and on the rewards that follow them."""
    bits = np.ascontiguousarray(rewards, np.float64).view(np.uint64).reshape(len(numbers), -1)
    for column in bits.T:
        numbers = (numbers ^ column ^ (column >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
        numbers ^= numbers >> np.uint64(29)
    return numbers


def _stacked(*rows: Any) -> Any:
    return np.stack(rows) if isinstance(rows[0], np.ndarray) else list(rows)
