"""From a task id and arguments to a recipe for a pool of Python environments."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec as GymnasiumSpec

from parallel_pool import _core
from parallel_pool.errors import OptionError, UnknownEnvError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.python_envs.description import SEED_BITS, describe
from parallel_pool.recipe import COMMON_DEFAULTS, GYMNASIUM_PREFIX, Recipe, check_common
from parallel_pool.registry import registry
from parallel_pool.rendering import check_render_arguments
from parallel_pool.seeds import first_seeds


def python_recipe(env: EnvSpec, arguments: Mapping[str, Any]) -> Recipe:
    """For an environment with `backend="python"`. Its own options are handed on unchecked."""
    common, options = _split(arguments)
    options = {**env.options, **options}
    factory = registry().env_factory(env, options)
    version = registry().plugin(env.family).version
    return _recipe(env, env.id, factory, options, common, arguments, version or "0")


def gymnasium_recipe(task_id: str, arguments: Mapping[str, Any]) -> Recipe:
    """For "gym:ID". Options are keyword arguments of `gymnasium.make`.

    The time limit stays the environment's: wrappers of its own may want to see it.
    """
    spec = _find(task_id)
    common, options = _split(arguments)
    limit = common["max_episode_steps"]
    factory = partial(gymnasium.make, spec, max_episode_steps=limit, **options)
    name = spec.id.replace("/", ":") if spec.version is not None else f"{spec.id}-v0"
    env = EnvSpec(
        f"gym/{name}",
        backend="python",
        max_episode_steps=spec.max_episode_steps,
        reward_threshold=spec.reward_threshold,
    )
    version = gymnasium.__version__
    return _recipe(env, task_id, factory, options, common, arguments, version, limit_inside=True)


def _find(task_id: str) -> GymnasiumSpec:
    module, _, name = task_id.removeprefix(GYMNASIUM_PREFIX).rpartition(":")
    if module:
        importlib.import_module(module)
    try:
        return gymnasium.spec(name)
    except gymnasium.error.Error as error:
        raise UnknownEnvError(f"{task_id!r}: Gymnasium says: {error}") from None


def _split(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    common = {name: arguments.get(name, default) for name, default in COMMON_DEFAULTS.items()}
    return common, {key: value for key, value in arguments.items() if key not in COMMON_DEFAULTS}


def _recipe(
    env: EnvSpec,
    task_id: str,
    factory: Callable[[], Any],
    options: dict[str, Any],
    common: dict[str, Any],
    arguments: Mapping[str, Any],
    version: str,
    *,
    limit_inside: bool = False,
) -> Recipe:
    common["isolation"] = "process"
    check_common(env.id, common)
    check_render_arguments(env, common)
    try:
        described = describe(task_id, factory)
    except (gymnasium.error.Error, TypeError) as error:
        raise OptionError(f"{task_id} cannot be made: {error}") from error
    try:
        plugin = _core.Plugin(
            family=env.family, version=version, env_id=env.id, fields=list(described.fields)
        )
    except ValueError as error:
        raise OptionError(f"{task_id}: {error}") from None
    if common["max_episode_steps"] is None:
        common["max_episode_steps"] = env.max_episode_steps
    if common["reward_threshold"] is None:
        common["reward_threshold"] = env.reward_threshold
    seeds = first_seeds(common["seed"], common["num_envs"], SEED_BITS)
    return Recipe(
        env=env,
        plugin=plugin,
        options={},
        asked={},
        config={"task_id": task_id, **common, **options},
        declarations=[],
        reset_declarations=[],
        fields=plugin.describe(env.id, {}, True)["fields"],
        max_players=1,
        given=dict(arguments),
        seeds=seeds,
        arguments={**arguments, "seed": seeds},
        python=described,
        limit_inside=limit_inside,
    )
