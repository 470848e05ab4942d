"""The hooks of every family of tasks: one that a program registers, and one of a wheel in Python.

The module that such a wheel's entry point names imports all of this, and has a hook `parallel_pool_envs` of
its own.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import Check, EnvSpec, Renderer, find_library, hookimpl


@hookimpl
def parallel_pool_library() -> Path:
    """The one library, whatever the family."""
    return find_library("parallel_pool_tasks", "tasks")


@hookimpl
def parallel_pool_translate(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Turns dicts into texts."""
    from parallel_pool_mujoco import sdk

    return sdk.translated(spec, options)


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Compiles the model, traces the task and hands both over."""
    from parallel_pool_tasks.handed_over import completed

    return completed(spec, options)


@hookimpl
def parallel_pool_renderer(spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> Renderer:
    """MuJoCo's renderer, on a copy of the environment's data."""
    from parallel_pool_mujoco import sdk

    return sdk.OffscreenRenderer(spec, mode, arguments)


@hookimpl
def parallel_pool_doctor() -> Iterator[Check]:
    """Checks that MuJoCo is there, with its structs where they should be."""
    from parallel_pool_mujoco import sdk

    yield sdk.check_mujoco()
    yield sdk.check_opengl()
