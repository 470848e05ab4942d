"""Observations that are pictures: what the option `from_pixels` means.

With this option the observation, or its last array, is a scene: bytes from which the environment's renderer (a
`SceneRenderer`) can draw a picture later, or `frame_stack` of them. So a picture shows the moment of its row,
also in asynchronous pools and for the last row of an episode, and no environment waits for OpenGL.
`rendering.pixels` draws the pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parallel_pool.config.arguments import PoolArguments
from parallel_pool.config.env_options import EnvVariants
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.schema.fields import Field

OPTION = "from_pixels"
SIZE = 84
"""EnvPool's width and height of such pictures, without render_width and render_height."""


@dataclass(frozen=True)
class Pixels:
    """The pictures of one pool."""

    field: int
    """The number of the field with the scenes."""
    alone: bool
    """Whether the observation has nothing else."""
    height: int
    width: int
    depth: int
    """How many pictures an observation has, the oldest first."""
    channels: str | None
    """The axis that has the channels of all pictures, "first" (EnvPool's layout) or "last"; None: each picture
    has its own, ([depth,] height, width, 3), as Gymnasium has it."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        if self.channels == "first":
            return (3 * self.depth, self.height, self.width)
        if self.channels == "last":
            return (self.height, self.width, 3 * self.depth)
        picture = (self.height, self.width, 3)
        return picture if self.depth == 1 else (self.depth, *picture)

    def pictures_of(self, observations: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """A view of a batch of observations: (rows, depth, height, width, 3)."""
        rows, depth, size = len(observations), self.depth, (self.height, self.width)
        if self.channels == "first":
            return observations.reshape(rows, depth, 3, *size).transpose(0, 1, 3, 4, 2)
        if self.channels == "last":
            return observations.reshape(rows, *size, depth, 3).transpose(0, 3, 1, 2, 4)
        return observations.reshape(rows, depth, *size, 3)

    def fields(self, fields: Sequence[Field]) -> list[Field]:
        """The fields, with pictures in place of scenes."""
        seen: Field = {**fields[self.field], "dtype": np.dtype(np.uint8), "shape": self.shape}
        seen |= {"low": np.array(0, np.uint8), "high": np.array(255, np.uint8)}
        return [seen if number == self.field else each for number, each in enumerate(fields)]


def pixels_of(
    env: EnvSpec,
    variants: EnvVariants,
    fields: Sequence[Field],
    arguments: PoolArguments,
    channels: str | None,
) -> Pixels | None:
    """The pictures, if `from_pixels` is on. Raises OptionError if they cannot be drawn.

    channels: see Pixels.
    """
    first = variants.distinct[0]
    declared = [each for each in variants.declarations if each["name"] == OPTION]
    if not any(first.effective(each) for each in declared):
        return None
    if variants.mixed:
        raise OptionError(
            f"{env.id}: pictures ({OPTION}) are drawn for pools of one environment of the library, and "
            f"this one has several: leave out {OPTION}, or make a pool for each"
        )
    if arguments.isolation is not None:
        raise OptionError(
            f"{env.id}: there are no pictures of environments in worker processes; leave out {OPTION}, "
            "or isolation='process'"
        )
    observed = [number for number, each in enumerate(fields) if each["role"] == "obs"]
    field = observed[-1]
    shape = fields[field]["shape"]
    return Pixels(
        field=field,
        alone=len(observed) == 1,
        height=arguments.render_height or SIZE,
        width=arguments.render_width or SIZE,
        depth=shape[0] if len(shape) > 1 else 1,
        channels=channels,
    )
