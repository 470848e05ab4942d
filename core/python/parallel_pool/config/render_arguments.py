"""What `render_mode` and its companions mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from parallel_pool.config.arguments import ARGUMENTS
from parallel_pool.config.kinds import Whole
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec


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
    for argument in ARGUMENTS:
        if argument.name == "render_env_id":
            argument = replace(argument, kind=Whole(0, common["num_envs"] - 1))
        if argument.name.startswith("render_"):
            common[argument.name] = argument.check(env.id, common[argument.name])
    name = common["render_camera_name"]
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
