"""The hooks of every family of tasks: of one that a program registers, and of one of a wheel in Python.

The entry point of such a wheel names an object:

    plugin = Family("parallel_pool_legs.tasks")  # a module with TASKS = (Walk, Run)
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import Check, EnvSpec, Renderer, find_library, hookimpl


@dataclass(frozen=True)
class Family:
    """The tasks of one family. Light: its module and MuJoCo are imported when they are asked for."""

    module: str = ""
    """The module that has its classes as TASKS; empty: a program registers them."""

    @hookimpl
    def parallel_pool_envs(self) -> Iterator[EnvSpec]:
        """The classes of the module."""
        from parallel_pool_tasks.classes import spec_of, tasks_of

        yield from map(spec_of, tasks_of(self.module))

    @hookimpl
    def parallel_pool_library(self) -> Path:
        """The one library, whatever the family."""
        import parallel_pool_tasks

        return find_library(parallel_pool_tasks.__name__, "tasks")

    @hookimpl
    def parallel_pool_translate(
        self, spec: EnvSpec, options: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Turns dicts into texts."""
        from parallel_pool_mujoco import sdk

        return sdk.translated(spec, options)

    @hookimpl
    def parallel_pool_options(self, spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """Compiles the model, traces the task and hands both over."""
        from parallel_pool_tasks.classes import task_of
        from parallel_pool_tasks.handed_over import completed

        return completed(task_of(spec.id, self.module), spec, options)

    @hookimpl
    def parallel_pool_env_factory(
        self, spec: EnvSpec, options: Mapping[str, Any]
    ) -> Callable[[], Any]:
        """The task as it is."""
        from parallel_pool_tasks.classes import task_of
        from parallel_pool_tasks.in_python import reference

        return partial(reference, task_of(spec.id, self.module), **options)

    @hookimpl
    def parallel_pool_renderer(
        self, spec: EnvSpec, mode: str, arguments: Mapping[str, Any]
    ) -> Renderer:
        """MuJoCo's renderer, on a copy of the environment's data."""
        from parallel_pool_mujoco import sdk

        return sdk.OffscreenRenderer(spec, mode, arguments)

    @hookimpl
    def parallel_pool_doctor(self) -> Iterator[Check]:
        """Checks that MuJoCo is there, with its structs where they should be."""
        from parallel_pool_mujoco import sdk

        yield sdk.check_mujoco()
        yield sdk.check_opengl()
