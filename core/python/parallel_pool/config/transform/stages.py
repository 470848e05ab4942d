"""What can be done to one array of an observation, each a stage: to its field, and to its node in result
trees."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field, bounds
from parallel_pool.schema.result_tree import Cast, FrameStack, Node, Normalized, Transposed
from parallel_pool.schema.running_statistics import RunningStatistics


class Stage(Protocol):
    """One for each array. `field` comes first and may refuse it (OptionError)."""

    def field(self, owner: str, field: Field) -> Field:
        """The field as it is afterwards."""
        ...

    def node(self, source: Node, *, final: bool) -> Node:
        """What makes it of the array; final: of the last one of episodes that ended."""
        ...


class Channels:
    """Pictures (height, width, channels) or (channels, height, width), the channels being the fewest."""

    def __init__(self, where: str) -> None:
        self._first = where == "first"
        self._axes: tuple[int, ...] | None = None

    def field(self, owner: str, field: Field) -> Field:
        """See Stage."""
        shape = field["shape"]
        if len(shape) != 3 or shape[0] == shape[2]:
            raise OptionError(
                f"{owner}: {named(field)} has shape {shape}, of which no axis can be told to be that of "
                "channels: leave channels out of transform"
            )
        if (shape[0] < shape[2]) == self._first:
            return field
        self._axes = (0, 3, 1, 2) if self._first else (0, 2, 3, 1)
        order = [axis - 1 for axis in self._axes[1:]]
        low, high = (
            limit if limit.ndim == 0 else limit.transpose(order) for limit in bounds(field)
        )
        return {**field, "shape": tuple(shape[axis] for axis in order), "low": low, "high": high}

    def node(self, source: Node, *, final: bool) -> Node:
        """See Stage."""
        return source if self._axes is None else Transposed(source, self._axes)


class Stack:
    """The last `depth` of them, in a new first axis."""

    def __init__(self, depth: int, num_envs: int) -> None:
        self._depth, self._num_envs = depth, num_envs
        self.begins = np.zeros(num_envs, np.bool_)
        """Which environments' next row fills the stack, as after a reset."""

    def field(self, owner: str, field: Field) -> Field:
        """See Stage."""
        shape = (self._depth, *field["shape"])
        self._frames = np.zeros((self._num_envs, *shape), field["dtype"])
        self._before = np.zeros_like(self._frames)
        low, high = (
            limit if limit.ndim == 0 else np.broadcast_to(limit, shape).copy()
            for limit in bounds(field)
        )
        return {**field, "kind": "box", "shape": shape, "low": low, "high": high}

    def node(self, source: Node, *, final: bool) -> Node:
        """See Stage."""
        return FrameStack(source, self._frames, self._before, self.begins, final)

    def known(self) -> Any:
        """What a pool that goes on needs."""
        return self._frames

    def assign(self, known: Any) -> None:
        """Goes on from there."""
        np.copyto(self._frames, known)
        self.begins[:] = False


class Normalize:
    """Less its running mean, by its running deviation."""

    def __init__(self, epsilon: float, clip: float | None) -> None:
        self._epsilon, self._clip = epsilon, clip

    def field(self, owner: str, field: Field) -> Field:
        """See Stage."""
        self.statistics = RunningStatistics(field["shape"], begins_narrow=True)
        limit = np.float32(np.inf if self._clip is None else self._clip)
        low, high = np.array(-limit), np.array(limit)
        return {**field, "dtype": np.dtype(np.float32), "low": low, "high": high}

    def node(self, source: Node, *, final: bool) -> Node:
        """See Stage. Last observations are not counted: Gymnasium's wrapper does not see them."""
        return Normalized(source, self.statistics, self._epsilon, self._clip, updates=not final)


class CastTo:
    """In another dtype."""

    def __init__(self, dtype: str) -> None:
        self._dtype = np.dtype(dtype)

    def field(self, owner: str, field: Field) -> Field:
        """See Stage."""
        low, high = bounds(field)
        if self._dtype.kind == "u" and (low.min() < 0 or high.max() > 255):
            raise OptionError(
                f"{owner}: {named(field)} is in {low.min():g} .. {high.max():g}, and obs_dtype='uint8' has "
                "0 .. 255"
            )
        low, high = (limit.astype(self._dtype) for limit in (low, high))
        return {**field, "dtype": self._dtype, "low": low, "high": high}

    def node(self, source: Node, *, final: bool) -> Node:
        """See Stage."""
        return Cast(source, self._dtype)


def named(field: Field) -> str:
    """A field of the observation in words."""
    return f"observation {field['name']!r}" if field["name"] else "the observation"
