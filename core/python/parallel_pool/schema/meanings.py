"""Tables of what the numbers of an observation or of an action mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from parallel_pool.plugin_api import Part

HEAD = ("meaning", "unit", "low", "high")
"""Of the columns of a row, after the first: the numbers that it is about."""


def space_size(space: spaces.Space[Any]) -> int:
    """How many numbers the parts of this space have together; of a Discrete, how many values."""
    return int(space.n) if isinstance(space, spaces.Discrete) else len(list(_bounds(space)))


def rows(parts: Sequence[Part], space: spaces.Space[Any]) -> list[tuple[str, ...]]:
    """A row for each part, with the bounds that its space has; none if the parts are not of this space."""
    if sum(part.count for part in parts) != space_size(space):
        return []
    first, limits = 0, list(_bounds(space))
    if isinstance(space, spaces.Discrete):
        first, limits = int(space.start), []
    places = _places(space)
    found: list[tuple[str, ...]] = []
    for part in parts:
        last = first + part.count - 1
        own = limits[first : last + 1]
        low = _text(min((each[0] for each in own), default=-math.inf))
        high = _text(max((each[1] for each in own), default=math.inf))
        found.append((places(first, last), part.meaning, part.unit, low, high))
        first = last + 1
    return found


def _places(space: spaces.Space[Any]) -> Callable[[int, int], str]:
    """What the numbers from one to another are called: their indices, in a dict those of the key."""
    if not isinstance(space, spaces.Dict):
        return lambda first, last: str(first) if first == last else f"{first} .. {last}"
    names = []
    for key, each in space.items():
        numbers = range(len(list(_bounds(each))))
        names += [(key, f"{key} {number}" if len(numbers) > 1 else key) for number in numbers]

    def of(first: int, last: int) -> str:
        (key, name), (last_key, last_name) = names[first], names[last]
        if first == last:
            return name
        return f"{name} .. {last_name.removeprefix(f'{key} ') if key == last_key else last_name}"

    return of


def _bounds(space: spaces.Space[Any]) -> Iterator[tuple[float, float]]:
    """Of each number. A member of a dict or tuple that is Discrete is one number."""
    if isinstance(space, (spaces.Dict, spaces.Tuple)):
        for each in space.values() if isinstance(space, spaces.Dict) else space:
            yield from _bounds(each)
    elif isinstance(space, spaces.Discrete):
        yield float(space.start), float(space.start + space.n - 1)
    elif isinstance(space, spaces.Box):
        yield from zip(space.low.ravel().tolist(), space.high.ravel().tolist(), strict=True)
    elif isinstance(space, spaces.MultiBinary):
        yield from ((0.0, 1.0) for _ in range(int(np.prod(space.n))))
    elif isinstance(space, spaces.MultiDiscrete):
        yield from ((0.0, float(n - 1)) for n in space.nvec.ravel())
    else:
        yield -math.inf, math.inf


def _text(bound: float) -> str:
    return f"{bound:.4g}" if math.isfinite(bound) else ""
