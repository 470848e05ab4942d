"""RLlib (Ray): environments of a pool by name, in every runner.

from parallel_pool_ray.rllib import register_env

register_env("CartPole-v1")
config = (
    PPOConfig()
    .environment("CartPole-v1")
    .env_runners(num_envs_per_env_runner=8, gym_env_vectorize_mode="vector_entry_point")
)
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import Any

from parallel_pool import SingleEnv, make_spec
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import expect_arrays, reward_is_per_player
from parallel_pool_learning.library import RLLIB, require
from parallel_pool_learning.pettingzoo import parallel_env
from parallel_pool_learning.pools import (
    close_if_refused,
    expect_mode,
    expect_numpy,
    expect_pool,
    make_pool,
    single_options,
)

require(RLLIB)

from ray import tune  # noqa: E402
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv  # noqa: E402

from parallel_pool_ray import RayPool  # noqa: E402

MODE = "NextStep"
_REASON = "because its runners begin an episode with the step after the one that ended the last"
_DECIDED = ("num_envs", "batch_size")
_OF_RAY_POOLS = inspect.signature(RayPool).parameters.keys() - {
    *("task_id", "num_envs", "batch_size", "seed", "options")
}
"""Options of a RayPool that its actors' pools do not have."""


def register_env(task_id: str, name: str | None = None, **options: Any) -> str:
    """Registers an environment for `config.environment(name)`, in all processes. Returns the name.

    With gym_env_vectorize_mode="vector_entry_point" each runner has one pool, otherwise single environments.

    name: None: task_id. options: those of `parallel_pool.make` except num_envs, which is RLlib's
    num_envs_per_env_runner; `env_config` overrides them. With `pools=` the pool of a runner is a RayPool with
    that many actors, and options of RayPool are accepted. An environment with several players becomes a
    MultiAgentEnv (through PettingZoo), which is not vectorised.

    Raises what `parallel_pool.make` raises, and OptionError for another autoreset mode or a batch_size.
    """
    for each in _DECIDED:
        if each in options:
            raise OptionError(f"{task_id}: RLlib decides {each}: num_envs_per_env_runner")
    spec = make_spec(task_id, **_of_each_pool(options))
    expect_mode(spec.definition, RLLIB.title, [MODE], _REASON)
    expect_numpy(spec.definition, RLLIB.title)
    expect_arrays(spec.observation_space, spec.action_space, task_id, RLLIB.title)
    players = reward_is_per_player(spec.definition.fields)
    # Importing us in a runner's process is enough: the creator travels as its name and arguments.
    creator = _make_players if players else _make
    name = task_id if name is None else name
    tune.register_env(name, partial(creator, task_id, options))
    return name


def _make(task_id: str, options: Mapping[str, Any], context: Mapping[str, Any]) -> Any:
    """A pool if RLlib passes a number of environments, otherwise one environment."""
    options = {**options, **context}
    if "pools" in options:
        return _make_ray_pool(task_id, options)
    if "num_envs" not in options:
        expect_mode(make_spec(task_id, **options).definition, RLLIB.title, [MODE], _REASON)
        return SingleEnv(task_id, **single_options(options))
    pool = make_pool(task_id, MODE, {"infos": "minimal", **options})
    with close_if_refused(pool):
        expect_pool(pool, RLLIB.title, [MODE], _REASON)
    return pool


def _make_ray_pool(task_id: str, options: Mapping[str, Any]) -> RayPool:
    """A pool with environments in Ray actors."""
    if "num_envs" not in options:
        raise OptionError(
            f"{task_id}: pools= is for whole pools: gym_env_vectorize_mode='vector_entry_point'"
        )
    if options.get("batch_size"):
        raise OptionError(f"{task_id}: {RLLIB.title} steps all environments at once: no batch_size")
    spec = make_spec(task_id, **_of_each_pool(options))
    expect_mode(spec.definition, RLLIB.title, [MODE], _REASON)
    return RayPool(task_id, **options)


def _of_each_pool(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options without those of RayPool only, if `pools` is among them."""
    ours = _OF_RAY_POOLS if "pools" in options else ()
    return {name: value for name, value in options.items() if name not in ours}


def _make_players(task_id: str, options: Mapping[str, Any], context: Mapping[str, Any]) -> Any:
    """One environment with several players."""
    return ParallelPettingZooEnv(parallel_env(task_id, **single_options({**options, **context})))
