"""The classes by their ids."""

from __future__ import annotations

import importlib

from parallel_pool.plugin_api import EnvSpec

from parallel_pool_tasks.errors import TaskError
from parallel_pool_tasks.task import Task, own_options

FAMILY = "tasks"
"""That of the examples, which are imported when one is made."""

BY_ID: dict[str, type[Task]] = {}


def task_of(env_id: str) -> type[Task]:
    """The class of an id. Raises TaskError where a process does not know it."""
    if env_id not in BY_ID and env_id.startswith(FAMILY + "/"):
        for each in importlib.import_module("parallel_pool_tasks.examples").TASKS:
            BY_ID.setdefault(each.id, each)
    try:
        return BY_ID[env_id]
    except KeyError:
        raise TaskError(
            f"{env_id} is a task whose class this process does not know: parallel_pool.make(TheClass), or "
            "parallel_pool_tasks.register(TheClass) first"
        ) from None


def spec_of(task: type[Task]) -> EnvSpec:
    """How the class is registered."""
    summary = (task.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    return EnvSpec(
        task.id,
        native="tasks/Task-v0",
        summary=summary,
        options={"frame_skip": task.frame_skip},
        python_options=own_options(task),
        max_episode_steps=task.max_episode_steps,
        tags=("mujoco",),
        render_modes=("rgb_array",),
        render_fps=task.render_fps,
    )
