"""Pictures of environments: what `render_mode` and its companions mean, and who draws.

The library draws ("pp.render/1"), or the plugin's hook `parallel_pool_renderer` gives a renderer in Python
that looks at arrays of the environment ("pp.arrays/1"). Nothing here is touched by a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import NotOfferedError
from parallel_pool.registry import registry

if TYPE_CHECKING:
    from parallel_pool import _core
    from parallel_pool.plugin_api import EnvSpec, Renderer
    from parallel_pool.recipe import Recipe


def check_render_arguments(env: EnvSpec, common: dict[str, Any]) -> None:
    """Checks `render_mode`, `render_env_id`, `render_width`, `render_height`, `render_camera_*`.

    Raises OptionError. The names are EnvPool's, 0 and -1 mean "the usual", as there; a camera of -2 is
    the free one, where there is such a thing.
    """
    mode = common["render_mode"]
    if mode is not None and mode not in env.render_modes:
        if mode == "human" and "rgb_array" in env.render_modes:
            hint = (
                "for a window wrap a pool with render_mode='rgb_array' in "
                "gymnasium.wrappers.vector.HumanRendering"
            )
        elif env.render_modes:
            hint = f"it has {', '.join(map(repr, env.render_modes))}"
        else:
            hint = "it has no renderer; use None"
        raise OptionError(f"{env.id}: render_mode is {mode!r}, but {hint}")
    for name, low, high in (
        ("render_env_id", 0, common["num_envs"] - 1),
        ("render_width", 0, 2**14),
        ("render_height", 0, 2**14),
        ("render_camera_id", -2, 2**20),
    ):
        value = common[name]
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or not low <= int(value) <= high:
            raise OptionError(
                f"{env.id}: {name} is {value!r}, expected an integer in {low} .. {high}"
            )
        common[name] = int(value)
    name = common["render_camera_name"]
    if name is not None and not isinstance(name, str):
        raise OptionError(f"{env.id}: render_camera_name is {name!r}, expected a text or None")
    if name is not None and common["render_camera_id"] != -1:
        raise OptionError(f"{env.id}: give render_camera_id or render_camera_name, not both")


def renderer_arguments(config: Mapping[str, Any], camera: Any) -> dict[str, Any]:
    """What the hook `parallel_pool_renderer` is given; camera: instead of the one in `config`."""
    if camera is None:
        camera = config["render_camera_name"]
    if camera is None and config["render_camera_id"] != -1:
        camera = max(config["render_camera_id"], -1)  # to renderers, -1 is the free one
    return {
        "width": config["render_width"] or None,
        "height": config["render_height"] or None,
        "camera": camera,
    }


class Drawing:
    """Draws the environments of one pool. Made when a pool is; finds its renderer at the first picture."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._renderer: Renderer | None = None
        self._ready = False
        self._camera: Any = None

    def frames(self, pool: _core.Pool, env_ids: npt.NDArray[Any], camera: Any = None) -> list[Any]:
        """One picture (uint8, height x width x 3) or text per environment.

        camera: an id or a name; None: as the pool was made. Raises OptionError without a
        render_mode, NotOfferedError if there is no renderer at all, ResetNeededError before the first
        reset, AlreadyPendingError while a result is on its way.
        """
        config = self._recipe.config
        if config["render_mode"] is None:
            env = self._recipe.env
            if not env.render_modes:
                raise NotOfferedError(f"{env.id} has no renderer")
            raise OptionError(
                f"this pool of {env.id} was made without a render_mode; "
                f"make it with render_mode={env.render_modes[0]!r}"
            )
        if self._recipe.python is not None:
            from parallel_pool.python_envs.questions import ask_call

            if camera is not None:
                raise OptionError(f"{self._recipe.env.id} draws from one point of view: no camera")
            crossing = self._recipe.python.crossing
            return ask_call(pool, crossing, "render", env_ids=env_ids, verb="drawn")
        camera = renderer_arguments(config, camera)["camera"]
        if not self._ready or camera != self._camera:
            self._find(camera)
        if self._renderer is None:
            return pool.render(env_ids)
        # Copied at one moment; only then drawn, which may take long.
        options = self._recipe.mixture.effective
        arrays = {name: pool.read_array(name, env_ids) for name in self._renderer.arrays}
        return [
            self._renderer.draw(
                {"env_id": env, **{name: rows[row] for name, rows in arrays.items()}}, options(env)
            )
            for row, env in enumerate(env_ids.tolist())
        ]

    def close(self) -> None:
        """Lets go of the renderer. Doing it twice is fine."""
        renderer, self._renderer, self._ready = self._renderer, None, False
        if renderer is not None:
            renderer.close()

    def _find(self, camera: Any) -> None:
        self.close()
        config, env = self._recipe.config, self._recipe.env
        arguments = renderer_arguments(config, camera)
        self._renderer = registry().renderer(env, config["render_mode"], arguments)
        if self._renderer is not None and config["isolation"] is not None:
            self._check_reach(self._renderer)
        given = {name: value for name, value in arguments.items() if value is not None}
        if self._renderer is None and given:
            raise OptionError(
                f"{env.id} draws pictures of one size from one point of view: it takes no {given}"
            )
        self._camera, self._ready = camera, True

    def _check_reach(self, renderer: Renderer) -> None:
        """Raises NotOfferedError for a renderer that would follow addresses of another process."""
        if any(name.endswith("_address") for name in renderer.arrays):
            self.close()
            raise NotOfferedError(
                f"{self._recipe.env.id} cannot be drawn in worker processes, because its renderer looks "
                "at the memory of the environments; leave out isolation='process' or the rendering"
            )
