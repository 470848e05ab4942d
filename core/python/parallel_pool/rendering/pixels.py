"""Observations that are pictures: who draws them.

The pool's results are gone through here, and pictures take the place of scenes (see `config.pictures`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from parallel_pool import _core
from parallel_pool.config.pictures import OPTION
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.render_arguments import renderer_arguments
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import EnvError
from parallel_pool.registry import registry
from parallel_pool.rendering.render_threads import RenderThreads

if TYPE_CHECKING:
    from parallel_pool.plugin_api import SceneRenderer

THREADS = 4
"""At most so many draw, each with an OpenGL context and its memory."""


class PixelPool:
    """A native pool whose results have pictures where the plan has the observation.

    Made before the native pool, so that a computer without OpenGL says so before anything is built;
    `plan` is what that pool takes instead of a plan.
    """

    def __init__(self, config: PoolConfig) -> None:
        assert config.pixels is not None
        self._pixels, self._config = config.pixels, config
        self._same_step = config.values["autoreset_mode"] == "SameStep"
        self._now, self._final = (f"{name}:{self._pixels.field}" for name in ("field", "final"))
        self._options: dict[int, dict[str, Any]] = {}
        # By environment: scenes drawn last, with their pictures. Of a stack, only the newest is new.
        self._drawn: dict[int, deque[tuple[npt.NDArray[Any], npt.NDArray[Any]]]] = {}
        self._pool: _core.Pool | None = None
        self._render_threads = RenderThreads(
            self._renderer, min(config.values["num_threads"], THREADS)
        )

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
        self._render_threads.close()
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

        self._render_threads.each(draw, rows, [int(env_ids[row]) for row in rows])
        return shown.reshape(len(scenes), *pixels.shape)

    def _picture(
        self, renderer: SceneRenderer, env: int, scene: npt.NDArray[Any]
    ) -> npt.NDArray[np.uint8]:
        if self._pixels.depth > 1:
            for known, picture in self._drawn.get(env, ()):
                if np.array_equal(known, scene):
                    return picture
        if env not in self._options:
            self._options[env] = self._config.variants.effective(env)
        picture = renderer.draw({**renderer.unpacked(scene), "env_id": env}, self._options[env])
        if self._pixels.depth > 1:
            last = self._drawn.setdefault(env, deque(maxlen=self._pixels.depth))
            last.append((scene.copy(), picture))
        return cast("npt.NDArray[np.uint8]", picture)

    def _renderer(self) -> SceneRenderer:
        """Called in a thread of the render_threads."""
        env = self._config.env
        arguments = renderer_arguments(self._config.values, None)
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
