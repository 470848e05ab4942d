"""Draws observations that are pictures.

Result trees have a node of these where the scenes are (see `config.pictures`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from parallel_pool.config.pictures import OPTION
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import SCENE_THREADS
from parallel_pool.registry import hooks, registry
from parallel_pool.rendering.render_threads import RenderThreads
from parallel_pool.rendering.renderer_handle import picture, renderer_arguments
from parallel_pool.schema.result_tree import Computed, FieldColumn, FinalColumn, HostColumn

if TYPE_CHECKING:
    from parallel_pool.plugin_api import SceneRenderer

_Array = npt.NDArray[Any]


class PixelObservations:
    """Makes pictures of the scenes in batches: see `config.pictures`.

    Made before the native pool, so that a missing OpenGL is an error before anything is built. The owner
    closes it; its threads also end when it is garbage collected.
    """

    def __init__(self, config: PoolConfig) -> None:
        assert config.pixels is not None
        self._pixels, self._config = config.pixels, config
        self._options: dict[int, dict[str, Any]] = {}
        # By environment: scenes drawn last, with their pictures. Of a stack, only the newest is new.
        self._drawn: dict[int, deque[tuple[_Array, _Array]]] = {}
        self._render_threads: RenderThreads[SceneRenderer] = RenderThreads(
            self._renderer, min(config.arguments.num_threads, SCENE_THREADS)
        )
        self._alone: SceneRenderer | None = None  # the renderer, where it has a thread of its own
        found: list[SceneRenderer] = []
        self._render_threads.wait([(0, found.append)])
        if found[0].own_thread is not None:
            self._render_threads.close()
            self._alone = self._renderer()

    # Nodes hold this object, so it does not hold them: it ends with its last pool.

    def now(self) -> Computed:
        """The observation of each row."""
        scenes = FieldColumn(self._pixels.field)
        return Computed(self._now, (scenes, HostColumn("env_id")))

    def final(self) -> Computed:
        """The last one of each episode that ended, black where none did."""
        scenes = FinalColumn(self._pixels.field)
        return Computed(self._final, (scenes, HostColumn("env_id"), HostColumn("ended")))

    def close(self) -> None:
        """Ends the threads. A second call has no effect."""
        self._render_threads.close()
        alone, self._alone = self._alone, None
        if alone is not None:
            alone.close()

    def _now(self, scenes: _Array, env_ids: _Array) -> _Array:
        return self._pictures(scenes, env_ids, range(len(env_ids)))

    def _final(self, scenes: _Array, env_ids: _Array, ended: _Array) -> _Array:
        return self._pictures(scenes, env_ids, np.flatnonzero(ended).tolist())

    def _pictures(self, scenes: _Array, env_ids: _Array, rows: Sequence[int]) -> _Array:
        """One observation per row of scenes; black where there is nothing to draw, or not asked for."""
        shown = np.zeros((len(scenes), *self._pixels.shape), np.uint8)
        pictures = self._pixels.pictures_of(shown)
        stacks, envs, alone = scenes.reshape(*pictures.shape[:2], -1), env_ids.tolist(), self._alone
        # Rows of environments that failed have none.
        there: Any = stacks[..., :8].any(axis=-1).tolist()

        def draw(renderer: SceneRenderer, row: int) -> None:
            for place, scene in enumerate(stacks[row]):
                if there[row][place]:
                    self._draw(renderer, envs[row], scene, pictures[row, place])

        def draw_all() -> None:
            for row in rows:
                draw(cast("SceneRenderer", alone), row)

        if alone is None:
            self._render_threads.each(draw, rows, [envs[row] for row in rows])
        elif rows and alone.own_thread is not None:
            stacks = stacks.copy()  # of memory that is used again if the caller goes meanwhile
            alone.own_thread(draw_all)
        return shown

    def _draw(self, renderer: SceneRenderer, env: int, scene: _Array, into: _Array) -> None:
        if self._pixels.depth > 1:
            for known, before in self._drawn.get(env, ()):
                if np.array_equal(known, scene):
                    into[...] = before
                    return
        if env not in self._options:
            self._options[env] = self._config.variants.effective(env)
        arrays = {**renderer.unpacked(scene), "env_id": env}
        picture(renderer, arrays, self._options[env], into)
        if self._pixels.depth > 1:
            last = self._drawn.setdefault(env, deque(maxlen=self._pixels.depth))
            last.append((scene.copy(), into.copy()))

    def _renderer(self) -> SceneRenderer:
        """Made in the thread that uses it, or before the first picture where it has a thread of its own."""
        env = self._config.env
        arguments = renderer_arguments(self._config.arguments, None)
        arguments |= {"width": self._pixels.width, "height": self._pixels.height}
        renderer = hooks.renderer(registry().plugin(env.family), env, "rgb_array", arguments)
        if renderer is None or not hasattr(renderer, "unpacked"):
            raise OptionError(
                f"{env.id} declares the option {OPTION}, but its plugin has no renderer that draws scenes; "
                f"leave {OPTION} out"
            )
        scenes = cast("SceneRenderer", renderer)
        scenes.check()
        return scenes
