"""From a task to its compiled model, which the library is handed."""

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from parallel_pool import mujoco
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec

from parallel_pool_dmc._numpy_math import table_address
from parallel_pool_dmc._tasks import task_of
from parallel_pool_dmc._versions import require_suite

OURS = frozenset({"time_limit", "random", "environment_kwargs"})
"""Arguments of dm_control's tasks that decide nothing about the model."""

_OF_SOME = ("num_poles",)
"""Options of a domain that decide the model of some of its tasks only."""


def completed(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with the task's model handed over. Raises OptionError, also where dm_control is missing."""
    task = task_of(spec)
    with mujoco.option_errors(spec):
        known = task_arguments(task.domain, task.name)
        _check(spec, options, known)
        chosen = {name: options[name] for name in known if name in options and name not in OURS}
        model = _compiled(task.domain, task.name, tuple(sorted(chosen.items())))
    source = f"dm_control's {task.domain}-{task.name}"
    return {
        **mujoco.completed(spec, options, model, source),
        "numpy_math": table_address(),
    }


def _check(spec: EnvSpec, options: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in _OF_SOME:
        if options.get(name) and name not in known:
            raise OptionError(
                f"{spec.id} takes no {name}; other tasks of its domain do: leave it out here"
            )


@functools.cache
def task_arguments(domain: str, name: str) -> tuple[str, ...]:
    """What `task_kwargs` may say of a task. Raises MujocoError."""
    make = require_suite()._DOMAINS[domain].SUITE[name]
    return tuple(inspect.signature(make).parameters)


@functools.lru_cache(maxsize=64)
def _compiled(domain: str, name: str, arguments: tuple[tuple[str, Any], ...]) -> Any:
    """The MjModel that dm_control makes for a task, with what it edits in the XML. Read-only: it is shared."""
    env = require_suite().load(domain, name, task_kwargs=dict(arguments))
    return env.physics.model.ptr
