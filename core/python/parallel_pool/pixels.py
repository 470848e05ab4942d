"""Observations that are pictures: what the option `from_pixels` means, and who draws them.

Where an environment declares that option and it is on, a row of its observation is no observation but a
scene: bytes that its renderer (a `SceneRenderer`) can draw a picture from later, or `frame_stack` of them.
So a picture shows the moment that the row is of, in asynchronous pools and for the last row of an episode
as well, and no environment waits for OpenGL. The pool's results are gone through here, and pictures take
the place of scenes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from parallel_pool.errors import OptionError
from parallel_pool.fields import Field
from parallel_pool.pool_errors import EnvError
from parallel_pool.registry import registry
from parallel_pool.rendering import renderer_arguments
from parallel_pool.studio import Studio

if TYPE_CHECKING:
    from parallel_pool import _core
    from parallel_pool.env_options import Mixture
    from parallel_pool.plugin_api import EnvSpec, SceneRenderer
    from parallel_pool.recipe import Recipe

OPTION = "from_pixels"
SIZE = 84
"""EnvPool's width and height of such pictures, where render_width and render_height say nothing."""
THREADS = 4
"""At most so many draw, each with an OpenGL context and its memory."""


@dataclass(frozen=True)
class Pixels:
    """The pictures of one pool."""

    field: int
    """Which field the observation is."""
    height: int
    width: int
    depth: int
    """How many pictures an observation has, the oldest first."""
    channels_first: bool = False
    """EnvPool's layout (3 * depth, height, width), not Gymnasium's ([depth,] height, width, 3)."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Of one observation."""
        if self.channels_first:
            return (3 * self.depth, self.height, self.width)
        picture = (self.height, self.width, 3)
        return picture if self.depth == 1 else (self.depth, *picture)

    def fields(self, fields: Sequence[Field]) -> list[Field]:
        """The fields, with pictures where the scenes are."""
        seen: Field = {**fields[self.field], "dtype": np.dtype(np.uint8), "shape": self.shape}
        seen |= {"low": np.array(0, np.uint8), "high": np.array(255, np.uint8)}
        return [seen if number == self.field else each for number, each in enumerate(fields)]


def pixels_of(
    env: EnvSpec, mixture: Mixture, fields: Sequence[Field], common: Mapping[str, Any]
) -> Pixels | None:
    """What is drawn, where `from_pixels` is on. Raises OptionError where nothing can be."""
    first = mixture.variants[0]
    declared = [each for each in mixture.declarations if each["name"] == OPTION]
    if not any(first.effective(each) for each in declared):
        return None
    if common["isolation"] is not None:
        raise OptionError(
            f"{env.id}: there are no pictures of environments in worker processes; leave out {OPTION}, "
            "or isolation='process'"
        )
    field = next(number for number, each in enumerate(fields) if each["role"] == "obs")
    shape = fields[field]["shape"]
    return Pixels(
        field=field,
        height=common["render_height"] or SIZE,
        width=common["render_width"] or SIZE,
        depth=shape[0] if len(shape) > 1 else 1,
    )


def in_envpools_layout(recipe: Recipe) -> Recipe:
    """The same with pictures as EnvPool has them: channels first, those of a stack one after the other."""
    if recipe.pixels is None:
        return recipe
    pixels = replace(recipe.pixels, channels_first=True)
    return replace(recipe, pixels=pixels, fields=pixels.fields(recipe.fields))


class PixelPool:
    """A native pool whose results have pictures where the plan has the observation.

    Made before the native pool, so that a computer without OpenGL says so before anything is built;
    `plan` is what that pool takes instead of a plan.
    """

    def __init__(self, recipe: Recipe) -> None:
        assert recipe.pixels is not None
        self._pixels, self._recipe = recipe.pixels, recipe
        self._same_step = recipe.config["autoreset_mode"] == "SameStep"
        self._now, self._final = (f"{name}:{self._pixels.field}" for name in ("field", "final"))
        self._options: dict[int, dict[str, Any]] = {}
        # By environment: scenes drawn last, with their pictures. Of a stack, only the newest is new.
        self._drawn: dict[int, deque[tuple[npt.NDArray[Any], npt.NDArray[Any]]]] = {}
        self._pool: _core.Pool | None = None
        self._studio = Studio(self._renderer, min(recipe.config["num_threads"], THREADS))

    def plan(self, plan: Any) -> Any:
        """The plan with what is needed to know whose pictures they are."""
        return (plan, "env_id", "ended") if self._same_step else (plan, "env_id")

    def over(self, pool: _core.Pool, step_plan: Any, reset_plan: Any) -> _core.Pool:
        """This, in the place of the pool that was made with those plans, each by way of `plan`."""
        self._pool, self._step_plan, self._reset_plan = pool, step_plan, reset_plan
        return cast("_core.Pool", self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def step(self, action: Any, env_id: Any = None) -> Any:
        return self._answer(self._step_plan, "step", action, env_id)

    def recv(self, timeout: float | None = None) -> Any:
        return self._answer(self._step_plan, "recv", timeout)

    def reset(self, *arguments: Any) -> Any:
        return self._answer(self._reset_plan, "reset", *arguments)

    def close(self) -> None:
        self._studio.close()
        if self._pool is not None:
            self._pool.close()

    def _answer(self, plan: Any, call: str, *arguments: Any) -> Any:
        try:
            result = getattr(self._pool, call)(*arguments)
        except EnvError as error:
            error.result = self._developed(plan, error.result)
            raise
        return self._developed(plan, result)

    def _developed(self, plan: Any, result: Any) -> Any:
        answer, env_id, *ended = result
        return self._replaced(plan, answer, _Batch(self, env_id, ended[0] if ended else None))

    def _replaced(self, plan: Any, result: Any, batch: _Batch) -> Any:
        if isinstance(plan, str):
            if plan == self._now:
                return batch.now(result)
            return batch.final(result) if plan == self._final else result
        if isinstance(plan, tuple):
            return tuple(self._replaced(*pair, batch) for pair in zip(plan, result, strict=True))
        # What is under a name with a question mark is in its parent, if it is there at all: see results.hpp.
        for name, member in plan.items():
            if name in ("?ended", "?errors"):
                there = {key: each for key, each in member.items() if key in result}
                self._replaced(there, result, batch)
            elif isinstance(member, dict) and "?objects" in member:
                if member["?objects"] == self._final:
                    result[name] = batch.final_objects(result[name])
            else:
                result[name] = self._replaced(member, result[name], batch)
        return result

    def pictures(
        self, scenes: npt.NDArray[Any], env_ids: npt.NDArray[Any], rows: Sequence[int]
    ) -> npt.NDArray[np.uint8]:
        """One observation per row of scenes; black where there is nothing to draw, or not asked for."""
        pixels = self._pixels
        picture = (pixels.height, pixels.width, 3)
        if pixels.channels_first:
            picture = (3, pixels.height, pixels.width)
        shown = np.zeros((len(scenes), pixels.depth, *picture), np.uint8)
        stacks = scenes.reshape(len(scenes), pixels.depth, -1)

        def draw(renderer: SceneRenderer, row: int) -> None:
            env = int(env_ids[row])
            for place, scene in enumerate(stacks[row]):
                if not scene[:8].any():  # the row of an environment that failed
                    continue
                drawn = self._picture(renderer, env, scene)
                shown[row, place] = drawn.transpose(2, 0, 1) if pixels.channels_first else drawn

        self._studio.each(draw, rows, [int(env_ids[row]) for row in rows])
        return shown.reshape(len(scenes), *pixels.shape)

    def _picture(
        self, renderer: SceneRenderer, env: int, scene: npt.NDArray[Any]
    ) -> npt.NDArray[np.uint8]:
        if self._pixels.depth > 1:
            for known, picture in self._drawn.get(env, ()):
                if np.array_equal(known, scene):
                    return picture
        if env not in self._options:
            self._options[env] = self._recipe.mixture.effective(env)
        picture = renderer.draw({**renderer.unpacked(scene), "env_id": env}, self._options[env])
        if self._pixels.depth > 1:
            last = self._drawn.setdefault(env, deque(maxlen=self._pixels.depth))
            last.append((scene.copy(), picture))
        return cast("npt.NDArray[np.uint8]", picture)

    def _renderer(self) -> SceneRenderer:
        """Called in a thread of the studio."""
        env = self._recipe.env
        arguments = renderer_arguments(self._recipe.config, None)
        arguments |= {"width": self._pixels.width, "height": self._pixels.height}
        renderer = registry().renderer(env, "rgb_array", arguments)
        if renderer is None or not hasattr(renderer, "unpacked"):
            raise OptionError(
                f"{env.id} declares the option {OPTION}, but its plugin has no renderer that draws scenes; "
                f"leave {OPTION} out"
            )
        scenes = cast("SceneRenderer", renderer)
        scenes.check()
        return scenes


class _Batch:
    """The rows of one result; drawn once, wherever they are."""

    def __init__(
        self, pool: PixelPool, env_ids: npt.NDArray[Any], ended: npt.NDArray[Any] | None
    ) -> None:
        self._pool, self._env_ids, self._ended = pool, env_ids, ended
        self._shown: Any = None
        self._last: Any = None

    def now(self, scenes: npt.NDArray[Any]) -> Any:
        if self._shown is None:
            self._shown = self._pool.pictures(scenes, self._env_ids, range(len(self._env_ids)))
        return self._shown

    def final(self, scenes: npt.NDArray[Any]) -> Any:
        """Black where no episode ended."""
        assert self._ended is not None
        if self._last is None:
            rows = np.flatnonzero(self._ended).tolist()
            self._last = self._pool.pictures(scenes, self._env_ids, rows)
        return self._last

    def final_objects(self, rows: npt.NDArray[Any]) -> Any:
        """As Gymnasium has them: an object per row, None where no episode ended."""
        ended = [row for row, scenes in enumerate(rows) if scenes is not None]
        if ended and self._last is None:
            stacked = np.zeros((len(rows), *rows[ended[0]].shape), np.uint8)
            for row in ended:
                stacked[row] = rows[row]
            self.final(stacked)
        result = np.full(len(rows), None, object)
        for row in ended:
            result[row] = self._last[row]
        return result
