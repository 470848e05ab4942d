"""From a task id and keyword arguments to everything that is needed to build a pool, without building it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from parallel_pool import _core
from parallel_pool.errors import OptionError
from parallel_pool.fields import Field
from parallel_pool.options import Declaration, check_options
from parallel_pool.registry import registry
from parallel_pool.rendering import check_render_arguments
from parallel_pool.seeds import first_seeds

if TYPE_CHECKING:
    from parallel_pool.plugin_api import EnvSpec
    from parallel_pool.python_envs.description import PythonEnv

COMMON_DEFAULTS: dict[str, Any] = {
    "num_envs": 1,
    "batch_size": None,
    "num_threads": None,
    "thread_affinity_offset": -1,
    "seed": None,
    "max_episode_steps": None,
    "reward_threshold": None,
    "max_num_players": 1,
    "gym_reset_return_info": True,
    "render_mode": None,
    "render_env_id": 0,
    "render_width": 0,
    "render_height": 0,
    "render_camera_id": -1,
    "render_camera_name": None,
    "autoreset_mode": None,
    "episode_statistics": None,
    "isolation": None,
    "step_timeout": None,
}
"""Keyword arguments that every environment takes; the names are EnvPool's and Gymnasium's."""

GYMNASIUM_PREFIX = "gym:"
"""Before an id of Gymnasium's registry."""

AUTORESET_MODES = ("NextStep", "SameStep", "Disabled")
"""Gymnasium's; the first is the default."""


@dataclass(frozen=True)
class Recipe:
    """Checked: a pool built from it can only fail where the environment itself does."""

    env: EnvSpec
    plugin: _core.Plugin
    options: dict[str, Any]
    """Values for the library; what is not here has the library's default."""
    asked: dict[str, Any]
    """The same before the plugin completed them."""
    config: dict[str, Any]
    """Every keyword argument with its effective value, common ones first, as `env.config` shows it."""
    declarations: Sequence[Declaration]
    """The options that the library declares, with its own defaults."""
    reset_declarations: Sequence[Declaration]
    """The arguments that `reset(options=...)` takes besides `reset_mask`."""
    fields: Sequence[Field]
    max_players: int
    given: Mapping[str, Any]
    """The keyword arguments that were given, as they were given."""
    seeds: list[int]
    """One per environment, each in 0 .. 2**64 - 1."""
    arguments: dict[str, Any]
    """What was asked for, the seeds included: `make_recipe(task_id, arguments)` gives this recipe again."""
    python: PythonEnv | None = None
    """For environments written in Python."""
    limit_inside: bool = False
    """The environment keeps its time limit itself: the pool has none."""

    @property
    def task_id(self) -> str:
        """What this recipe can be made from again."""
        task_id: str = self.config["task_id"]
        return task_id


def make_recipe(task_id: str, arguments: Mapping[str, Any]) -> Recipe:
    """Resolves and checks. Raises UnknownEnvError, AmbiguousEnvError, OptionError, PluginError."""
    if task_id.startswith(GYMNASIUM_PREFIX):
        from parallel_pool.python_envs.recipe import gymnasium_recipe

        return gymnasium_recipe(task_id, arguments)
    resolved = registry().resolve(task_id)
    resolved.warn_if_deprecated(stacklevel=4)
    env = resolved.spec
    if env.backend != "native":
        from parallel_pool.python_envs.recipe import python_recipe

        return python_recipe(env, arguments)
    common = {name: arguments.get(name, default) for name, default in COMMON_DEFAULTS.items()}
    given = {name: value for name, value in arguments.items() if name not in COMMON_DEFAULTS}

    plugin = _core.Plugin(str(registry().library_path(env.family)))
    declaration = plugin.declaration(env.native_id)
    declarations = declaration["options"]
    # Before the plugin's own hook sees them, so that a misspelt name is an unknown option and not
    # something the hook trips over.
    given = check_options(env.id, declarations, given, COMMON_DEFAULTS)
    asked = {**env.options, **given}
    completed = registry().complete_options(env, asked)
    options = check_options(env.id, declarations, completed, COMMON_DEFAULTS)
    check_common(env.id, common)
    try:
        description = plugin.describe(env.native_id, options, common["isolation"] is not None)
    except ValueError as error:
        # The library speaks of its own environment; the user asked for this one.
        raise OptionError(str(error).replace(env.native_id, env.id, 1)) from None

    check_render_arguments(env, common)
    if common["isolation"] is not None and common["render_mode"] is not None:
        raise OptionError(
            f"{env.id}: there are no pictures of environments in worker processes; use render_mode=None, "
            "or a pool without isolation='process'"
        )
    if common["max_episode_steps"] is None:
        common["max_episode_steps"] = (
            env.max_episode_steps or description["max_episode_steps"] or None
        )
    if common["reward_threshold"] is None:
        common["reward_threshold"] = env.reward_threshold
        if common["reward_threshold"] is None and not np.isnan(description["reward_threshold"]):
            common["reward_threshold"] = description["reward_threshold"]
    seeds = first_seeds(common["seed"], common["num_envs"])
    effective = {each["name"]: options.get(each["name"], each["default"]) for each in declarations}
    return Recipe(
        env=env,
        plugin=plugin,
        options=options,
        asked=asked,
        config={"task_id": env.id, **common, **effective},
        declarations=declarations,
        reset_declarations=declaration["reset_options"] if common["isolation"] is None else (),
        fields=description["fields"],
        max_players=description["max_players"],
        given=dict(arguments),
        seeds=seeds,
        # Not the completed options: they have the places of files on this machine.
        arguments={**arguments, "seed": seeds},
    )


def check_common(env_id: str, common: dict[str, Any]) -> None:
    """Checks the arguments of COMMON_DEFAULTS and puts effective values in. Raises OptionError."""

    def integer(name: str, low: int, high: int, default: int | None = None) -> int:
        value = common[name]
        if value is None and default is not None:
            return default
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or not low <= int(value) <= high:
            raise OptionError(
                f"{env_id}: {name} is {value!r}, expected an integer in {low} .. {high}"
            )
        return int(value)

    _check_isolation(env_id, common)
    common["num_envs"] = integer("num_envs", 1, 2**24)
    # EnvPool spells "as many as there are environments" and "as many as can run" as 0.
    common["batch_size"] = integer("batch_size", 0, 2**24, default=0) or common["num_envs"]
    if common["batch_size"] > common["num_envs"]:
        raise OptionError(
            f"{env_id}: batch_size is {common['batch_size']}, but there are only "
            f"{common['num_envs']} environments (num_envs)"
        )
    common["num_threads"] = integer("num_threads", 0, 4096, default=0)
    usable = _core.usable_cpus()
    # A thread with a worker process sleeps while that works, so processes may be many.
    if common["num_threads"] > 2 * usable and common["isolation"] is None:
        warnings.warn(
            f"num_threads={common['num_threads']}, but this process may use {usable} CPUs (affinity mask "
            "and cgroup quota): more threads than CPUs only slow each other down",
            stacklevel=5,
        )
    common["num_threads"] = common["num_threads"] or min(common["batch_size"], usable)
    common["thread_affinity_offset"] = integer("thread_affinity_offset", -1, 4096)
    if common["max_episode_steps"] is not None:
        common["max_episode_steps"] = integer("max_episode_steps", 1, 2**31 - 1)
    if common["max_num_players"] != 1:
        raise OptionError(f"{env_id}: max_num_players is decided by the environment; leave it out")
    if common["gym_reset_return_info"] is not True:
        raise OptionError(
            f"{env_id}: gym_reset_return_info=False is the interface of gym before 0.26; "
            "use env_type='gym', whose reset returns the observation alone"
        )
    common["autoreset_mode"] = autoreset_mode(env_id, common["autoreset_mode"])
    if common["episode_statistics"] not in (None, True, False):
        raise OptionError(
            f"{env_id}: episode_statistics is {common['episode_statistics']!r}, expected True or False"
        )


def _check_isolation(env_id: str, common: dict[str, Any]) -> None:
    if common["isolation"] not in (None, "process"):
        raise OptionError(
            f"{env_id}: isolation is {common['isolation']!r}, expected None (environments run in this "
            "process) or 'process' (in worker processes: see docs/isolation.md)"
        )
    if common["isolation"] is not None and sys.platform != "linux":
        raise OptionError(
            f"{env_id}: isolation='process' needs Linux, and this is {sys.platform}; leave it out"
        )
    timeout = common["step_timeout"]
    if timeout is None:
        return
    number = isinstance(timeout, Real) and not isinstance(timeout, bool)
    if not number or not 0 < float(timeout) < float("inf"):
        raise OptionError(f"{env_id}: step_timeout is {timeout!r}, expected seconds or None")
    if common["isolation"] is None:
        raise OptionError(
            f"{env_id}: step_timeout kills the worker process of an environment that hangs, so it "
            "needs isolation='process'"
        )
    common["step_timeout"] = float(timeout)


def autoreset_mode(env_id: str, mode: Any) -> str:
    """The name of the mode, as Gymnasium's AutoresetMode spells its values."""
    if mode is None:
        return AUTORESET_MODES[0]
    name = str(getattr(mode, "value", mode)).replace("_", "").lower()
    for known in AUTORESET_MODES:
        if name == known.lower():
            return known
    raise OptionError(
        f"{env_id}: autoreset_mode is {mode!r}, expected one of {', '.join(AUTORESET_MODES)} "
        "or a gymnasium.vector.AutoresetMode"
    )
