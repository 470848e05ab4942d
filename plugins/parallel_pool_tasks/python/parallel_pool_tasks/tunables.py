"""Numbers of a task that a program sets while a pool plays it, as a curriculum does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from parallel_pool_tasks.classes import task_of
from parallel_pool_tasks.errors import TaskError
from parallel_pool_tasks.task import Task

_Numbers = np.ndarray[Any, np.dtype[np.float64]]


def tune(envs: Any, numbers: Mapping[str, Any], env_id: Any = None) -> None:
    """Sets the tunables of environments `env_id` (None: all) from their next resets on, automatic ones too.

    envs: a pool of tasks, or what wraps it. numbers: by the names of the class's `tunables`, which each task in
    the pool has; each of the same shape as there, or with one axis before it, a row for each of these
    environments. Tunables that are not named have the class's numbers again. An episode keeps what it began
    with, also in states; pickles of the pool and the next pool begin with the class's. Raises TaskError, and
    the errors of `set_reset_options`.
    """
    pool = getattr(envs, "pool", None) or getattr(envs, "unwrapped", envs)
    ids = np.atleast_1d(pool.all_env_ids if env_id is None else env_id).tolist()
    known = pool.definition.task_id
    tasks = [task_of(known if isinstance(known, str) else known[env]) for env in ids]
    rows = {task: _packed(task, numbers, len(ids)) for task in set(tasks)}
    pool.set_reset_options(
        [{"tunables": rows[task][place]} for place, task in enumerate(tasks)], env_id
    )


def tunables_of(task: type[Task]) -> dict[str, _Numbers]:
    """The class's tunables by name, as float64. Raises TaskError."""
    found = {}
    for name, given in task.tunables.items():
        try:
            found[name] = np.array(given, np.float64)
        except (TypeError, ValueError):
            raise TaskError(
                f"{task.__name__}.tunables: {name!r} is {given!r}, expected a number or an array of them"
            ) from None
    return found


def unpacked(task: type[Task], options: Mapping[str, Any] | None) -> dict[str, _Numbers]:
    """The tunables of one reset by name, of the options that `tune` gives it; without any the class's."""
    numbers = tunables_of(task)
    flat = np.asarray((options or {}).get("tunables", ()), np.float64)
    if not flat.size:
        return {name: each[()] for name, each in numbers.items()}
    ends = np.cumsum([each.size for each in numbers.values()])
    if flat.size != ends[-1:].sum():
        raise TaskError(f"there are {flat.size} tunables, expected the task's {ends[-1:].sum()}")
    parts = np.split(flat, ends[:-1])
    return {
        name: part.reshape(numbers[name].shape)[()]
        for name, part in zip(numbers, parts, strict=True)
    }


def _packed(task: type[Task], given: Mapping[str, Any], count: int) -> _Numbers:
    """A row for each environment."""
    known = tunables_of(task)
    for name in given:
        if name not in known:
            have = f"only {', '.join(known)}" if known else "and no other"
            raise TaskError(f"{task.__name__} has no tunable {name!r}, {have}")
    columns = []
    for name, default in known.items():
        try:
            numbers = np.asarray(given.get(name, default), np.float64)
            rows = np.broadcast_to(numbers, (count, *default.shape))
        except (TypeError, ValueError) as error:
            raise TaskError(
                f"{task.__name__}: the tunable {name!r} is {given[name]!r}, expected the shape "
                f"{default.shape}, or {(count, *default.shape)} for {count} environments: {error}"
            ) from None
        columns.append(rows.reshape(count, -1))
    return np.concatenate(columns, axis=1) if columns else np.zeros((count, 0))
