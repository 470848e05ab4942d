"""The classes by their ids."""

from __future__ import annotations

import importlib

from parallel_pool.plugin_api import EnvSpec

from parallel_pool_tasks.errors import TaskError
from parallel_pool_tasks.task import Task, own_options

NATIVE = "tasks/Task-v0"
"""The library's one environment."""

BY_ID: dict[str, type[Task]] = {}
"""The classes that a program registered, and those of families that were used."""


def tasks_of(module: str) -> tuple[type[Task], ...]:
    """The classes that a module has as TASKS; none of no module."""
    return tuple(importlib.import_module(module).TASKS) if module else ()


def task_of(env_id: str, module: str = "") -> type[Task]:
    """The class of an id. Raises TaskError where neither a program nor the module has one."""
    if env_id not in BY_ID:
        for each in tasks_of(module):
            BY_ID.setdefault(each.id, each)
    try:
        return BY_ID[env_id]
    except KeyError:
        where = f"; {module}.TASKS has none of this id" if module else ""
        raise TaskError(
            f"{env_id} is a task whose class this process does not know{where}: "
            "parallel_pool.make(TheClass), or parallel_pool_tasks.register(TheClass) first"
        ) from None


def spec_of(task: type[Task]) -> EnvSpec:
    """Returns the entry under which the class is listed and registered."""
    summary = (task.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    return EnvSpec(
        task.id,
        native=NATIVE,
        summary=summary,
        options={"frame_skip": task.frame_skip},
        python_options={
            name: list(each) if isinstance(each, tuple) else each
            for name, each in own_options(task).items()
        },
        max_episode_steps=task.max_episode_steps,
        tags=("mujoco",),
        render_modes=("rgb_array",),
        render_fps=task.render_fps,
    )
