"""The hooks. Light: MuJoCo is imported when the first environment is made."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import About, Check, EnvSpec, Renderer, find_library, hookimpl

from parallel_pool_mujoco._envs import envs


@hookimpl
def parallel_pool_envs() -> Iterator[EnvSpec]:
    """Every environment of the family."""
    return envs()


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About | None:
    """Describes observations, actions, rewards and ends."""
    from parallel_pool_mujoco._about import about

    return about(spec)


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)


@hookimpl
def parallel_pool_translate(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Translates EnvPool's names, and values that are dicts or of several types."""
    from parallel_pool_mujoco._translate import translated

    return translated(spec, options)


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Compile the model and hand it over."""
    from parallel_pool_mujoco._models import completed

    return completed(spec, options)


@hookimpl
def parallel_pool_renderer(spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> Renderer:
    """Gymnasium's renderer, on a copy of the environment's data."""
    from parallel_pool_mujoco._renderer import GymnasiumRenderer

    return GymnasiumRenderer(spec, mode, arguments)


@hookimpl
def parallel_pool_doctor() -> Iterator[Check]:
    """Checks that MuJoCo is there, with its structs where they should be."""
    from parallel_pool_mujoco.sdk import check_mujoco, check_opengl

    yield check_mujoco()
    yield check_opengl()
