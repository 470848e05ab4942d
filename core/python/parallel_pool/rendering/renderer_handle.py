"""Draws pictures of environments.

The library draws ("pp.render/1"), or the plugin's hook `parallel_pool_renderer` gives a renderer in Python
that looks at arrays of the environment ("pp.arrays/1"). Nothing here is touched by a step.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from parallel_pool.config.arguments import PoolArguments
from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.per_process import PerProcess
from parallel_pool.pool_errors import EnvAccessError, NotOfferedError
from parallel_pool.registry import hooks, registry
from parallel_pool.registry.described import one_line
from parallel_pool.rendering.render_threads import RenderThreads
from parallel_pool.rendering.resizing import resized

if TYPE_CHECKING:
    from parallel_pool import _core
    from parallel_pool.config.pool_config import PoolConfig
    from parallel_pool.plugin_api import Renderer

_starting = PerProcess(RLock)  # again by a signal's handler


class RendererHandle:
    """Draws the environments of one pool. Made when a pool is; finds its renderer at the first picture.

    A renderer in Python draws in a thread of its own: so several threads may ask for pictures, OpenGL's
    contexts stay in their thread, and a signal handler never leaves a picture half drawn.
    """

    def __init__(self, config: PoolConfig) -> None:
        self._config = config
        self._thread: RenderThreads[_Drawer] | None = None
        self._here: _Drawer | None = None
        self._turn = RLock()

    def frames(self, pool: _core.Pool, env_ids: npt.NDArray[Any], camera: Any = None) -> list[Any]:
        """One picture (uint8, height x width x 3) or text per environment.

        camera: an id or a name; None: as the pool was made. Raises OptionError without a
        render_mode, NotOfferedError if there is no renderer at all, ResetNeededError before the first
        reset, AlreadyPendingError while a result is on its way.
        """
        arguments = self._config.arguments
        if arguments.render_mode is None:
            env = self._config.env
            if not env.render_modes:
                raise NotOfferedError(f"{env.id} has no renderer")
            raise OptionError(
                f"this pool of {env.id} was made without a render_mode; "
                f"make it with render_mode={env.render_modes[0]!r}"
            )
        if self._config.python is not None:
            from parallel_pool.workers.python_envs.questions import ask_call

            if camera is not None:
                raise OptionError(f"{self._config.env.id} draws from one point of view: no camera")
            serializer = self._config.python.serializer
            return ask_call(pool, serializer, "render", env_ids=env_ids, verb="drawn")
        camera = renderer_arguments(arguments, camera)["camera"]
        drawn: list[list[Any] | None] = []
        self._draw(lambda drawer: drawn.append(drawer.frames(pool, env_ids, camera)))
        if drawn[0] is not None:
            return drawn[0]
        frames = pool.render(env_ids)
        if arguments.render_mode != "rgb_array":
            return frames
        size = arguments.render_width or None, arguments.render_height or None
        return frames if size == (None, None) else [resized(frame, *size) for frame in frames]

    def _draw(self, job: Callable[[_Drawer], None]) -> None:
        if sys.platform == "darwin":  # where OpenGL of glfw works in the main thread only
            with self._turn:
                self._here = self._here or self._drawer()
                return job(self._here)
        thread = self._thread
        if thread is None or not thread.alive:
            with _starting.here:  # or each caller had one
                thread = self._thread
                if thread is None or not thread.alive:
                    thread = self._thread = RenderThreads(self._drawer, 1)
        thread.wait([(0, job)])

    def close(self) -> None:
        """Lets go of the renderer. A second call has no effect."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.close()
        here, self._here = self._here, None
        if here is not None:
            here.close()

    def _drawer(self) -> _Drawer:
        return _Drawer(self._config)


def picture(renderer: Renderer, arrays: Mapping[str, Any], *others: Any) -> Any:
    """As its `draw`. EnvAccessError says what it raises, such as of numbers that are NaN."""
    try:
        return renderer.draw(arrays, *others)
    except (ParallelPoolError, MemoryError):
        raise
    except Exception as error:
        raise EnvAccessError(
            f"environment {arrays['env_id']} could not be drawn: {one_line(error)}"
        ) from error


class _Drawer:
    """The renderer of one pool, found at the first picture. Used in one thread."""

    def __init__(self, config: PoolConfig) -> None:
        self._config = config
        self._renderer: Renderer | None = None
        self._ready = False
        self._camera: Any = None

    def frames(self, pool: _core.Pool, env_ids: npt.NDArray[Any], camera: Any) -> list[Any] | None:
        """As those of RendererHandle; None where the library draws."""
        if not self._ready or camera != self._camera:
            self._find(camera)
        renderer, options = self._renderer, self._config.variants.effective
        if renderer is None:
            return None
        # Copied at one moment; only then drawn, which may take long. One by one: shapes may differ.
        copies = [
            {"env_id": env, **{name: pool.read_array(name, [env])[0] for name in renderer.arrays}}
            for env in env_ids.tolist()
        ]
        drawn: list[Any] = []

        def draw() -> None:
            drawn.extend(picture(renderer, each, options(each["env_id"])) for each in copies)

        own_thread = getattr(renderer, "own_thread", None)  # of one that draws scenes
        own_thread(draw) if own_thread else draw()
        return drawn

    def close(self) -> None:
        """Lets go of the renderer. A second call has no effect."""
        renderer, self._renderer, self._ready = self._renderer, None, False
        if renderer is not None:
            renderer.close()

    def _find(self, camera: Any) -> None:
        self.close()
        arguments, env = self._config.arguments, self._config.env
        assert arguments.render_mode is not None
        asked = renderer_arguments(arguments, camera)
        self._renderer = hooks.renderer(
            registry().plugin(env.family), env, arguments.render_mode, asked
        )
        if self._renderer is not None and self._config.variants.mixed:
            self.close()
            raise NotOfferedError(
                f"{env.id} is drawn in Python, and this pool has other environments of its library too: make "
                "a pool for each"
            )
        names = () if self._renderer is None else self._renderer.arrays
        if arguments.isolation is not None and any(each.endswith("_address") for each in names):
            self.close()  # it would follow addresses of another process
            raise NotOfferedError(
                f"{env.id} cannot be drawn in worker processes, because its renderer looks at the memory of "
                "the environments; leave out isolation='process' or the rendering"
            )
        if self._renderer is None and asked["camera"] is not None:
            raise OptionError(
                f"{env.id} draws from one point of view: it takes no camera {asked['camera']!r}"
            )
        self._camera, self._ready = camera, True


def renderer_arguments(arguments: PoolArguments, camera: Any) -> dict[str, Any]:
    """What the hook `parallel_pool_renderer` is given; camera: instead of the pool's."""
    if camera is None:
        camera = arguments.render_camera_name
    if camera is None and arguments.render_camera_id != -1:
        camera = max(arguments.render_camera_id, -1)  # to renderers, -1 is the free one
    size = {"width": arguments.render_width or None, "height": arguments.render_height or None}
    return {**size, "camera": camera}
