"""The members of the argument `transform`, each declared once, and the values that they may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from parallel_pool.config.arguments import Argument, argument, declared_in
from parallel_pool.config.kinds import Choice, Flag, IntRange, Nullable
from parallel_pool.errors import OptionError


@dataclass(frozen=True)
class Number:
    """A number in low .. high. ends: whether `low` itself is allowed."""

    low: float
    high: float = np.inf
    ends: bool = True

    def accept(self, value: Any) -> float:
        """See Kind."""
        number = isinstance(value, Real) and not isinstance(value, bool)
        inside = number and self.low <= float(value) <= self.high and float(value) < np.inf
        if not inside or (not self.ends and float(value) == self.low):
            beyond = f" in {self.low:g} .. {self.high:g}" if self.high < np.inf else ""
            raise ValueError(f"a number{beyond}" if self.ends else "a number more than 0")
        return float(value)


@dataclass(frozen=True)
class Range:
    """Two numbers, the lower first, or one for -x .. x; None: no limits."""

    def accept(self, value: Any) -> tuple[float, float] | None:
        """See Kind."""
        if value is None:
            return None
        pair = (-value, value) if isinstance(value, Real) else value
        try:
            low, high = (float(each) for each in pair)
        except (TypeError, ValueError):
            low, high = 1.0, 0.0
        if not low < high:
            raise ValueError("(low, high), or one number for both sides, or None")
        return low, high


@dataclass(frozen=True)
class Size:
    """Height and width in pixels."""

    def accept(self, value: Any) -> tuple[int, int]:
        """See Kind."""
        try:
            height, width = value
            for side in (height, width):
                IntRange(1, 2**14).accept(side)
            return int(height), int(width)
        except (TypeError, ValueError):
            raise ValueError("(height, width) of 1 to 16384 pixels each") from None


@dataclass(frozen=True)
class TransformArguments:
    """The members of `transform`, in the order in which they are applied."""

    flatten_obs: bool = argument(
        False, Flag(), "joins the arrays of an observation into one vector"
    )
    resize: tuple[int, int] | None = argument(
        None,
        Nullable(Size()),
        "resizes 8-bit pictures to (height, width), as OpenCV's INTER_AREA",
    )
    channels: str | None = argument(
        None,
        Nullable(Choice(("first", "last"))),
        'the axis of channels of pictures, `"first"` or `"last"`: a view, no copy; '
        "of [drawn pictures](pool.md#pictures) with those of a stack in one",
    )
    frame_stack: int = argument(
        1, IntRange(1, 2**10), "stacks this number of observations, the newest last"
    )
    normalize_obs: bool = argument(
        False,
        Flag(),
        "subtracts the running mean and divides by the running standard deviation; float32",
    )
    clip_obs: float | None = argument(
        None, Nullable(Number(0, ends=False)), "clips normalised observations to -x .. x"
    )
    obs_dtype: str | None = argument(
        None,
        Nullable(Choice(("float32", "float16", "uint8"))),
        'converts observations to `"float32"`, `"float16"` or `"uint8"`',
    )
    normalize_reward: bool = argument(
        False,
        Flag(),
        "divides rewards by the running standard deviation of their discounted sum",
    )
    gamma: float = argument(0.99, Number(0, 1), "the discount factor of that sum")
    scale_reward: float = argument(1.0, Number(-np.inf), "multiplies rewards by this factor")
    clip_reward: tuple[float, float] | None = argument(
        None, Range(), "clips rewards to (low, high), or to -x .. x"
    )
    epsilon: float = argument(1e-8, Number(0, ends=False), "is added to variances")


MEMBERS: Sequence[Argument] = declared_in(TransformArguments)


def checked(owner: str, given: Any) -> TransformArguments:
    """All members, as they are used. Raises OptionError naming owner, member and what is expected."""
    if not isinstance(given, Mapping):
        raise OptionError(
            f"{owner}: transform is {given!r}, expected a dict such as {{'normalize_obs': True}}"
        )
    names = [each.name for each in MEMBERS]
    unknown = [name for name in given if name not in names]
    if unknown:
        raise OptionError(
            f"{owner}: transform has {unknown[0]!r}, expected some of {', '.join(names)}"
        )
    return TransformArguments(
        **{
            each.name: each.check(owner, given.get(each.name, each.default), of="transform")
            for each in MEMBERS
        }
    )
