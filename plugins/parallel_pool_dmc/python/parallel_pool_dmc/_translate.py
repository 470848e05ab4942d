"""Translates task_kwargs and environment_kwargs, which dm_control's users write, into our options."""

from collections.abc import Mapping
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool_mujoco import sdk

from parallel_pool_dmc._envs import task_of
from parallel_pool_dmc._models import task_arguments

_ENVIRONMENT = ("control_timestep", "n_sub_steps", "legacy_step")
"""The keys that environment_kwargs may have."""


def translated(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """Moves the options in task_kwargs and environment_kwargs to the others; `random` is the seed.

    EnvPool's `task_name` may repeat the id's. Raises OptionError for a key that dm_control does not know,
    for an option that is given twice, and for another task.
    """
    result = sdk.translated(spec, options)
    task = task_of(spec)
    if result.pop("task_name", task.name) != task.name:
        raise OptionError(
            f"{spec.id}: task_name is {options['task_name']!r}, but the task is {task.name!r}: each task "
            "has an id of its own, leave task_name out"
        )
    given = _taken(spec, result, "environment_kwargs")
    _check(spec, "environment_kwargs", given, _ENVIRONMENT)
    _add(spec, result, "environment_kwargs", given)
    given = _taken(spec, result, "task_kwargs")
    if given:
        with sdk.option_errors(spec):
            known = task_arguments(task.domain, task.name)
        _check(spec, "task_kwargs", given, [each for each in known if each != "environment_kwargs"])
        if "random" in given:
            given["seed"] = _seed(spec, given.pop("random"))
        _add(spec, result, "task_kwargs", given)
    return result


def _taken(spec: EnvSpec, options: dict[str, Any], name: str) -> dict[str, Any]:
    given = options.pop(name, None)
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise OptionError(f"{spec.id}: {name} is {given!r}, expected a dict or None")
    return dict(given)


def _check(spec: EnvSpec, name: str, given: Mapping[str, Any], known: Any) -> None:
    for key in given:
        if key not in known:
            raise OptionError(
                f"{spec.id}: {name} has {key!r}, expected only {', '.join(map(repr, known))}"
            )


def _add(spec: EnvSpec, options: dict[str, Any], name: str, given: Mapping[str, Any]) -> None:
    for key, value in given.items():
        if key in options:
            raise OptionError(f"{spec.id}: {key!r} is said twice, in {name} too; give one of them")
        if value is not None:
            options[key] = value


def _seed(spec: EnvSpec, random: Any) -> Any:
    if random is not None and (isinstance(random, bool) or not hasattr(random, "__index__")):
        raise OptionError(
            f"{spec.id}: task_kwargs has 'random': {random!r}, expected an int or None: the environments' "
            "own generators are seeded with it"
        )
    return random
