"""Checks what a task's methods return, in the same way however they run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parallel_pool_tasks.errors import TaskError
from parallel_pool_tasks.task import Step, Task


def as_observation(task: Task, shown: Any) -> dict[str, Any]:
    """The arrays of an observation by name; the name "" is that of one alone. Raises TaskError."""
    if not isinstance(shown, Mapping):
        if shown is None:
            raise TaskError(
                f"{task.id}: observe returned None, expected an array or a dict of them"
            )
        return {"": shown}
    if not shown:
        raise TaskError(f"{task.id}: observe returned an empty dict")
    return _named(task, "observe", shown)


def as_step(task: Task, step: Any) -> Step:
    """Returns what `step` returned, with one reward: terms are added up, and are infos. Raises TaskError."""
    if not isinstance(step, Step):
        raise TaskError(
            f"{task.id}: step returned {type(step).__name__}, expected Step(reward, terminated, info)"
        )
    if not isinstance(step.reward, Mapping):
        return step
    infos, total = dict(infos_of(task, "step", step.info)), None
    for name, pair in _named(task, "step", step.reward).items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TaskError(
                f"{task.id}: the reward's term {name!r} is {pair!r}, expected a pair: (weight, value)"
            )
        term = pair[0] * pair[1]
        total = term if total is None else total + term
        if infos.setdefault(f"reward_{name}", term) is not term:
            raise TaskError(f"{task.id}: the info reward_{name} is a term of the reward too")
    if total is None:
        raise TaskError(f"{task.id}: the reward has no terms")
    return Step(total, step.terminated, infos)


def infos_of(task: Task, method: str, infos: Any) -> dict[str, Any]:
    """The infos by name. Raises TaskError."""
    if not isinstance(infos, Mapping):
        raise TaskError(f"{task.id}: the info of {method} is {infos!r}, expected a dict")
    return _named(task, method, infos)


def _named(task: Task, method: str, arrays: Mapping[Any, Any]) -> dict[str, Any]:
    for name in arrays:
        if not isinstance(name, str) or not name or name == "-" or any(c.isspace() for c in name):
            raise TaskError(
                f"{task.id}: {method} has the name {name!r}, expected a text without blanks"
            )
    return dict(arrays)
