"""Compiles the model of a task, and hands it to the library."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool_mujoco import sdk

from parallel_pool_dmc._envs import task_of
from parallel_pool_dmc._numpy_math import table_address
from parallel_pool_dmc._versions import require_suite

OURS = frozenset({"time_limit", "random", "environment_kwargs"})
"""Arguments of dm_control's tasks that decide nothing about the model."""

_OF_SOME = ("num_poles",)
"""Options of a domain that decide the model of some of its tasks only."""


def _swimmer(module: Any, n_links: int) -> Any:
    return module.get_model_and_assets(n_links)


def _lqr(module: Any, n_bodies: int, n_actuators: int) -> Any:
    # C++ draws the springs anew for each seed.
    return module.get_model_and_assets(n_bodies, n_actuators, np.random.RandomState(0))


_SIZED: Mapping[str, Callable[..., Any]] = {"swimmer": _swimmer, "lqr": _lqr}
"""Domains with models of any size, which their modules take and their tasks do not."""


def completed(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with the task's model handed over. Raises OptionError, also where dm_control is missing."""
    task = task_of(spec)
    with sdk.option_errors(spec):
        known = task_arguments(task.domain, task.name)
        _check(spec, options, known)
        chosen = {name: options[name] for name in known if name in options and name not in OURS}
        model = _checked_compiled(spec, task.domain, task.name, chosen)
    source = f"dm_control's {task.domain}-{task.name}"
    return {
        **sdk.completed(spec, options, model, source),
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
    """The keys that `task_kwargs` may have for a task. Raises MujocoError."""
    make = require_suite()._DOMAINS[domain].SUITE[name]
    sizes = list(inspect.signature(_SIZED[domain]).parameters)[1:] if domain in _SIZED else []
    return (*inspect.signature(make).parameters, *sizes)


def _checked_compiled(spec: EnvSpec, domain: str, name: str, chosen: Mapping[str, Any]) -> Any:
    try:
        return compiled(domain, name, tuple(sorted(chosen.items())))
    except ValueError as error:
        raise OptionError(f"{spec.id} with {dict(chosen)}: {error}") from None


@functools.lru_cache(maxsize=64)
def compiled(domain: str, name: str, arguments: tuple[tuple[str, Any], ...] = ()) -> Any:
    """The MjModel that dm_control makes for a task, with what it edits in the XML. Read-only: it is shared."""
    suite = require_suite()
    with sdk.compiling():
        if domain in _SIZED:
            module = suite._DOMAINS[domain]
            text, assets = _SIZED[domain](module, **dict(arguments))
            return module.Physics.from_xml_string(text, assets).model.ptr
        return suite.load(domain, name, task_kwargs=dict(arguments)).physics.model.ptr
