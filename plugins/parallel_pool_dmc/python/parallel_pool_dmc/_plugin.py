"""The hooks. Light: MuJoCo and dm_control are imported when the first environment is made."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import About, Check, EnvSpec, Renderer, find_library, hookimpl

from parallel_pool_dmc._envs import envs


@hookimpl
def parallel_pool_envs() -> Iterator[EnvSpec]:
    """Every environment of the family."""
    return envs()


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About:
    """Describes observations, actions, rewards and ends."""
    from parallel_pool_dmc._about import about

    return about(spec)


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)


@hookimpl
def parallel_pool_translate(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Translates dm_control's task_kwargs and environment_kwargs."""
    from parallel_pool_dmc._translate import translated

    return translated(spec, options)


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Compile the task's model and hand it over."""
    from parallel_pool_dmc._models import completed

    return completed(spec, options)


@hookimpl
def parallel_pool_renderer(spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> Renderer:
    """dm_control's pictures, of a copy of the environment's data."""
    from parallel_pool_dmc._renderer import SuiteRenderer

    return SuiteRenderer(spec, mode, arguments)


@hookimpl
def parallel_pool_doctor() -> Iterator[Check]:
    """Checks that MuJoCo and dm_control are there, and work together."""
    from parallel_pool_mujoco.sdk import check_mujoco, check_opengl

    from parallel_pool_dmc._versions import check_dm_control

    yield check_mujoco()
    yield check_opengl()
    yield check_dm_control()
