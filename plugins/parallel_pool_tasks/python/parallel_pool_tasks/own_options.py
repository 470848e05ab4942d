"""A task's own options, which have names in Python, as the library's, which have numbers.

src/traced_task.hpp declares those.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from parallel_pool_tasks.errors import TaskError
from parallel_pool_tasks.task import Task, checked, own_options

MOST = 16


def numbered(task: type[Task], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with those of the task under the library's names. Raises TaskError."""
    own = own_options(task)
    if len(own) > MOST:
        raise TaskError(f"{task.id} has {len(own)} options of its own, expected at most {MOST}")
    names = {name: f"own_{number}" for number, name in enumerate(own, 1)}
    return {
        names.get(name, name): json.dumps(checked(task, name, value, own[name]))
        if name in own
        else value
        for name, value in options.items()
    }


def named(task: type[Task], options: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the task's options that are given under the library's names. Raises TaskError."""
    found = {}
    own = own_options(task)
    for number in range(len(own) + 1, MOST + 1):
        if text := options.get(f"own_{number}"):
            raise TaskError(
                f"{task.id}: own_{number} is {text!r}, but it has {len(own)} options of its own"
            )
    for number, (name, default) in enumerate(own.items(), 1):
        if text := options.get(f"own_{number}"):
            try:
                value = json.loads(text)
            except (ValueError, RecursionError, TypeError):
                raise TaskError(
                    f"{task.id}: own_{number} is {text!r}, expected {name} as JSON"
                ) from None
            found[name] = checked(task, name, value, default)
    return found
