"""Tells the core of a class: when `make` gets it, or `register` is called, or its id comes in a pickle."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import parallel_pool
from parallel_pool.errors import PluginError, UnknownEnvError
from parallel_pool.pool_api import registry

from parallel_pool_tasks import classes
from parallel_pool_tasks.errors import TaskError
from parallel_pool_tasks.hooks import Family
from parallel_pool_tasks.task import Task

_FAMILY = Family()
_IDS: set[str] = set()
"""The ids of the classes that a program registered."""


class CarriedId(str):
    """An id whose pickles bring its class along, and register it where they are loaded.

    So worker processes and pickled pools know a class that no plugin lists. One of a module is named, and
    imported there; one of the main script or a notebook goes as code.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        import cloudpickle

        task = classes.BY_ID[self]
        try:
            return _arrived, (str(self), cloudpickle.dumps(task))
        except Exception as error:
            raise TaskError(
                f"{self}: the class {task.__qualname__} cannot be sent to another process: "
                f"{type(error).__name__}: {error}. A class of a module is sent by its name"
            ) from error


def _arrived(env_id: str, pickled: bytes) -> str:
    """The id, known here. A class that this process has already stays."""
    return env_id if env_id in _IDS else register(pickle.loads(pickled))


def register(task: type[Task]) -> str:
    """Makes the id known for the rest of this process, and returns it. A class of the same id takes its place.

    Raises TaskError for an id that is none, or in the family of a plugin that does not list it.
    """
    if not isinstance(getattr(task, "id", None), str):
        raise TaskError(f'{task.__name__} has no id: id = "mine/{task.__name__}-v0"')
    if task.id in _IDS or not _listed(task.id):
        try:
            spec = classes.spec_of(task)
            spec = replace(spec, id=CarriedId(task.id))
            parallel_pool.register(spec, hooks=_FAMILY)
        except (PluginError, ValueError) as error:
            raise TaskError(f"{task.__name__} cannot have the id {task.id!r}: {error}") from error
        _IDS.add(task.id)
    classes.BY_ID[task.id] = task
    return task.id


def _listed(env_id: str) -> bool:
    """Returns True if an installed plugin lists the id as a task."""
    try:
        spec = registry().resolve(env_id).spec
    except (UnknownEnvError, ValueError):
        return False
    return (spec.id, spec.native) == (env_id, classes.NATIVE)


Task.parallel_pool_id = classmethod(register)  # type: ignore[assignment]
