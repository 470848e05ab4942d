"""How the core learns of a class: when `make` gets it, or `register` is called."""

from __future__ import annotations

import parallel_pool
from parallel_pool.errors import PluginError

from parallel_pool_tasks import classes, hooks
from parallel_pool_tasks.errors import TaskError
from parallel_pool_tasks.task import Task


def register(task: type[Task]) -> str:
    """Makes the id known for the rest of this process, and returns it. A class of the same id takes its place.

    Raises TaskError for an id that is none, or of a plugin's family.
    """
    if not isinstance(getattr(task, "id", None), str):
        raise TaskError(f'{task.__name__} has no id: id = "mine/{task.__name__}-v0"')
    try:
        spec = classes.spec_of(task)
        parallel_pool.register(spec, hooks=None if spec.family == classes.FAMILY else hooks)
    except (PluginError, ValueError) as error:
        raise TaskError(f"{task.__name__} cannot have the id {task.id!r}: {error}") from error
    classes.BY_ID[task.id] = task
    return task.id


Task.parallel_pool_id = classmethod(register)  # type: ignore[assignment]
