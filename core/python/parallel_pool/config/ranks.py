"""The number of this process among several that do the same work, as torchrun starts them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from numbers import Integral
from typing import Any

from parallel_pool.errors import OptionError

TORCHRUN = "torchrun"
"""A value of `rank`: torchrun's variables RANK and WORLD_SIZE are read."""


def with_rank(owner: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with `rank` and `world_size` as numbers; unchanged if neither is given.

    Raises OptionError for one without the other, or a rank that is not in 0 .. world_size - 1.
    """
    rank, size = arguments.get("rank"), arguments.get("world_size")
    if rank is None and size is None:
        return dict(arguments)
    if rank == TORCHRUN:
        rank, told = _told(owner, "RANK"), _told(owner, "WORLD_SIZE")
        if size not in (None, told):
            raise OptionError(
                f"{owner}: world_size is {size!r}, but torchrun says {told}: leave it out"
            )
        size = told
    if rank is None or size is None:
        missing = "world_size" if size is None else "rank"
        raise OptionError(
            f"{owner}: {missing} is missing: give rank and world_size, or rank={TORCHRUN!r} for both"
        )
    for name, value in (("rank", rank), ("world_size", size)):
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise OptionError(
                f"{owner}: {name} is {value!r}, expected an integer or rank={TORCHRUN!r}"
            )
    if not 0 <= rank < size:
        raise OptionError(f"{owner}: rank is {rank} of {size}, expected one of 0 .. world_size - 1")
    return {**arguments, "rank": int(rank), "world_size": int(size)}


def _told(owner: str, name: str) -> int:
    text = os.environ.get(name, "")
    if not (text.isascii() and text.isdigit()):
        raise OptionError(
            f"{owner}: rank={TORCHRUN!r} reads {name} from the environment, where it is {text!r}: start the "
            "program with torchrun, or give rank and world_size as numbers"
        )
    return int(text)
