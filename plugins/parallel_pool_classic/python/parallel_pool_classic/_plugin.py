"""The environments of this plugin, as data. Loads no library."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import About, EnvSpec, Renderer, find_library, hookimpl

from parallel_pool_classic._classic_control import CLASSIC_CONTROL
from parallel_pool_classic._games import GAMES
from parallel_pool_classic._toy_text import TOY_TEXT

ENVS = (*CLASSIC_CONTROL, *TOY_TEXT, *GAMES)


@hookimpl
def parallel_pool_envs() -> tuple[EnvSpec, ...]:
    """Every environment of the family."""
    return ENVS


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About | None:
    """Describes observations, actions, rewards and ends."""
    from parallel_pool_classic._about import about

    return about(spec)


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)


@hookimpl
def parallel_pool_renderer(
    spec: EnvSpec, mode: str, arguments: Mapping[str, Any]
) -> Renderer | None:
    """Gymnasium's own renderer, or ours where Gymnasium has no such environment."""
    from parallel_pool_classic._drawing import renderer

    drawing: Renderer = renderer(spec.id, spec.native_id, mode, arguments)
    return drawing
