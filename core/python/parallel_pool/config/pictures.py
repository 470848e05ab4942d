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
    channels_first: bool = False
    """EnvPool's layout (3 * depth, height, width), not Gymnasium's ([depth,] height, width, 3)."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        if self.channels_first:
            return (3 * self.depth, self.height, self.width)
        picture = (self.height, self.width, 3)
        return picture if self.depth == 1 else (self.depth, *picture)

    def fields(self, fields: Sequence[Field]) -> list[Field]:
        """The fields, with pictures in place of scenes."""
        seen: Field = {**fields[self.field], "dtype": np.dtype(np.uint8), "shape": self.shape}
        seen |= {"low": np.array(0, np.uint8), "high": np.array(255, np.uint8)}
        return [seen if number == self.field else each for number, each in enumerate(fields)]


def pixels_of(
    env: EnvSpec, variants: EnvVariants, fields: Sequence[Field], arguments: PoolArguments
) -> Pixels | None:
    """The pictures, if `from_pixels` is on. Raises OptionError if they cannot be drawn."""
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
    )
