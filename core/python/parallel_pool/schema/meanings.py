"""Tables of what the numbers of an observation or of an action mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from gymnasium import spaces

from parallel_pool.plugin_api import Part

HEAD = ("meaning", "unit", "low", "high")
"""Of the columns of a row, after the first: the numbers that it is about."""


def size(space: spaces.Space[Any]) -> int:
    """How many numbers the parts of this space have together; of a Discrete, how many values."""
    return int(space.n) if isinstance(space, spaces.Discrete) else len(list(_bounds(space)))


def rows(parts: Sequence[Part], space: spaces.Space[Any]) -> list[tuple[str, ...]]:
    """A row for each part, with the bounds that its space has; none if the parts are not of this space."""
    if sum(part.count for part in parts) != size(space):
        return []
    values = isinstance(space, spaces.Discrete)
    start = int(space.start) if isinstance(space, spaces.Discrete) else 0
    limits = [] if values else list(_bounds(space))
    found: list[tuple[str, ...]] = []
    first = start
    for part in parts:
        last = first + part.count - 1
        index = str(first) if first == last else f"{first} .. {last}"
        own = limits[first : last + 1]
        low = _text(min((each[0] for each in own), default=-math.inf))
        high = _text(max((each[1] for each in own), default=math.inf))
        found.append((index, part.meaning, part.unit, low, high))
        first = last + 1
    return found


def _bounds(space: spaces.Space[Any]) -> Iterator[tuple[float, float]]:
    """Of each number. A member of a dict or tuple that is Discrete is one number."""
    if isinstance(space, spaces.Dict):
        for each in space.values():
            yield from _bounds(each)
    elif isinstance(space, spaces.Tuple):
        for each in space:
            yield from _bounds(each)
    elif isinstance(space, spaces.Discrete):
        yield float(space.start), float(space.start + space.n - 1)
    elif isinstance(space, spaces.Box):
        yield from zip(space.low.ravel().tolist(), space.high.ravel().tolist(), strict=True)
    elif isinstance(space, spaces.MultiDiscrete):
        yield from ((0.0, float(n - 1)) for n in space.nvec.ravel())
    else:
        yield -math.inf, math.inf


def _text(bound: float) -> str:
    return f"{bound:.4g}" if math.isfinite(bound) else ""
