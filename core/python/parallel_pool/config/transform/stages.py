"""What can be done to one array of an observation, each a stage: to its field, and to its node in result trees.

Stages are made for one field, by `of`, which raises OptionError if they do not fit it. They never change: what
a pool keeps for a stage from batch to batch is made by `state` and belongs to the pool.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from operator import methodcaller
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field, bounds
from parallel_pool.schema.result_tree import FrameStack, Node, Normalized, Resized, Transformed
from parallel_pool.schema.running_statistics import RunningStatistics


@dataclass(frozen=True)
class Stage(ABC):
    """One thing that is done to one array of observations."""

    field: Field
    """As it is afterwards."""

    def state(self, num_envs: int) -> RunningStatistics | Frames | None:
        """What a pool of so many environments keeps for this stage."""
        return None

    @abstractmethod
    def node(self, source: Node, state: Any, *, final: bool) -> Node:
        """The array after this stage.

        state: what `state` returned for this pool. final: for the last observations of ended episodes.
        """


@dataclass(frozen=True)
class Resize(Stage):
    """Gives 8-bit pictures another height and width."""

    before: tuple[int, int, int]
    """Height, width and channels of each picture."""
    size: tuple[int, int]
    channels_first: bool

    @classmethod
    def of(cls, owner: str, size: tuple[int, int], field: Field) -> Self:
        """size: height and width afterwards. The field is that of pictures (`is_pictures`)."""
        shape = field["shape"]
        *several, height, width, channels = shape if len(shape) > 2 else (*shape, 1)
        first = len(shape) > 2 and height < channels
        if len(shape) > 2 and height == channels:
            raise OptionError(
                f"{owner}: {named(field)} has shape {shape}, of which no axis can be told to be that of "
                "channels: leave resize out of transform"
            )
        if first:
            channels, height, width = height, width, channels
        pixels = (*several, channels, *size) if first else (*several, *size, channels)
        changed = pixels if len(shape) > 2 else size
        limits = [limit.reshape(-1) for limit in bounds(field)]
        if any((limit != limit[0]).any() for limit in limits):
            limits = [np.zeros(1, np.uint8), np.full(1, 255, np.uint8)]
        low, high = (limit[0].reshape(()) for limit in limits)
        resized: Field = {**field, "shape": changed, "low": low, "high": high}
        return cls(resized, (height, width, channels), size, first)

    def node(self, source: Node, state: None, *, final: bool) -> Node:
        """See Stage."""
        return Resized(source, self.field["shape"], *self.before, self.channels_first, *self.size)


def is_pictures(field: Field) -> bool:
    """Whether a field can be resized: 8-bit values with a height and a width."""
    return field["kind"] == "box" and field["dtype"] == np.uint8 and 2 <= len(field["shape"]) <= 4


@dataclass(frozen=True)
class Channels(Stage):
    """Moves the axis of channels, the shorter one of the first and the last."""

    axes: tuple[int, ...] | None
    """The axes of the column in their new order; None: unchanged."""

    @classmethod
    def of(cls, owner: str, where: str, field: Field) -> Self:
        """where: "first" or "last"."""
        shape = field["shape"]
        if len(shape) != 3 or shape[0] == shape[2]:
            raise OptionError(
                f"{owner}: {named(field)} has shape {shape}, of which no axis can be told to be that of "
                "channels: leave channels out of transform"
            )
        first = where == "first"
        if (shape[0] < shape[2]) == first:
            return cls(field, None)
        axes = (0, 3, 1, 2) if first else (0, 2, 3, 1)
        order = [axis - 1 for axis in axes[1:]]
        low, high = (limit.transpose(order) for limit in bounds(field))
        moved = tuple(shape[axis] for axis in order)
        return cls({**field, "shape": moved, "low": low, "high": high}, axes)

    def node(self, source: Node, state: None, *, final: bool) -> Node:
        """See Stage."""
        if self.axes is None:
            return source
        return Transformed(methodcaller("transpose", self.axes), (source,))


@dataclass(frozen=True)
class Frames:
    """The frames that one pool keeps for a Stack; see `FrameStack`."""

    frames: npt.NDArray[Any]
    before: npt.NDArray[Any]
    begins: npt.NDArray[np.bool_]
    """Whether the next row of each environment fills the whole stack, as after a reset."""

    def load(self, frames: npt.NDArray[Any]) -> None:
        """Continues from these frames, of another pool."""
        np.copyto(self.frames, frames)
        self.begins[:] = False


@dataclass(frozen=True)
class Stack(Stage):
    """The last observations, in a new first axis."""

    @classmethod
    def of(cls, depth: int, field: Field) -> Self:
        """depth: the number of observations."""
        shape = (depth, *field["shape"])
        low, high = (
            limit if limit.ndim == 0 else np.broadcast_to(limit, shape).copy()
            for limit in bounds(field)
        )
        return cls({**field, "kind": "box", "shape": shape, "low": low, "high": high})

    def state(self, num_envs: int) -> Frames:
        """See Stage."""
        frames = np.zeros((num_envs, *self.field["shape"]), self.field["dtype"])
        return Frames(frames, np.zeros_like(frames), np.zeros(num_envs, np.bool_))

    def node(self, source: Node, state: Frames, *, final: bool, trail: Node | None = None) -> Node:
        """See Stage. trail: of the same, what steps of a chunk show before the row."""
        return FrameStack(source, state.frames, state.before, state.begins, final, trail)


@dataclass(frozen=True)
class Normalize(Stage):
    """Subtracts the running mean and divides by the running standard deviation."""

    epsilon: float
    clip: float | None

    @classmethod
    def of(cls, epsilon: float, clip: float | None, field: Field) -> Self:
        """epsilon: is added to variances; clip: the largest absolute value."""
        limit = np.float32(np.inf if clip is None else clip)
        low, high = np.array(-limit), np.array(limit)
        normalized: Field = {**field, "dtype": np.dtype(np.float32), "low": low, "high": high}
        return cls(normalized, epsilon, clip)

    def state(self, num_envs: int) -> RunningStatistics:
        """See Stage."""
        return RunningStatistics(self.field["shape"], begins_narrow=True)

    def node(self, source: Node, state: RunningStatistics, *, final: bool) -> Node:
        """See Stage. Last observations are not counted: Gymnasium's wrapper does not see them."""
        return Normalized(source, state, self.epsilon, self.clip, updates=not final)


@dataclass(frozen=True)
class CastTo(Stage):
    """The same values in another dtype."""

    @classmethod
    def of(cls, owner: str, name: str, field: Field) -> Self:
        """name: of the dtype."""
        dtype, (low, high) = np.dtype(name), bounds(field)
        if dtype.kind == "u" and (low.min() < 0 or high.max() > 255):
            raise OptionError(
                f"{owner}: {named(field)} is in {low.min():g} .. {high.max():g}, and obs_dtype='uint8' has "
                "0 .. 255"
            )
        low, high = (limit.astype(dtype) for limit in (low, high))
        return cls({**field, "dtype": dtype, "low": low, "high": high})

    def node(self, source: Node, state: None, *, final: bool) -> Node:
        """See Stage."""
        return Transformed(methodcaller("astype", self.field["dtype"]), (source,))


def named(field: Field) -> str:
    """The field's name in error texts."""
    return f"observation {field['name']!r}" if field["name"] else "the observation"
