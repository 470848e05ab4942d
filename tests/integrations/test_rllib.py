"""RLlib: environments by name, in runners here and in another process, and of several players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.libraries import needed

needed("ray", "ray.rllib.algorithms.ppo")

import ray  # noqa: E402
from parallel_pool.integrations.rllib import register_env  # noqa: E402
from parallel_pool.views.gymnasium import GymnasiumPool  # noqa: E402
from ray.rllib.algorithms.ppo import PPOConfig  # noqa: E402
from ray.tune.registry import ENV_CREATOR, _global_registry  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(
        "local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR"
    )
    yield
    ray.shutdown()


def ppo(name: str, num_envs: int, mode: str = "vector_entry_point", **env_config: Any) -> PPOConfig:
    return (
        PPOConfig()
        .environment(name, env_config=env_config)
        .env_runners(
            num_env_runners=0, num_envs_per_env_runner=num_envs, gym_env_vectorize_mode=mode
        )
        .training(train_batch_size_per_learner=400, minibatch_size=100, num_epochs=1)
    )


def created(name: str, **context: Any) -> Any:
    return _global_registry.get(ENV_CREATOR, name)(context)


def test_a_runner_has_one_pool_and_trains(cluster: None) -> None:
    name = register_env("CartPole-v1", max_episode_steps=20)
    assert name == "CartPole-v1"
    algorithm = ppo(name, 8).build_algo()
    pool = algorithm.env_runner.env.unwrapped
    assert isinstance(pool, GymnasiumPool)
    assert len(pool) == 8
    result = algorithm.train()
    assert 5 < result["env_runners"]["episode_len_mean"] <= 20
    episodes = algorithm.env_runner.sample(num_episodes=20)
    for episode in episodes:
        assert episode.get_return() == len(episode)
        # No transition from a last observation to the next episode's first.
        steps = np.abs(np.diff(np.asarray(episode.get_observations()), axis=0)).max(axis=0)
        assert steps[0] < 0.2
    algorithm.stop()


def test_in_another_process_and_by_gymnasiums_id(cluster: None) -> None:
    register_env("CartPole-v1", name="short", max_episode_steps=10)
    for name in ("short", "parallel_pool:ParallelPool/CartPole-v1"):
        algorithm = ppo(name, 4).env_runners(num_env_runners=1).build_algo()
        result = algorithm.train()
        assert result["env_runners"]["num_env_steps_sampled"] >= 400
        assert (result["env_runners"]["episode_len_max"] <= 10) == (name == "short")
        algorithm.stop()


def test_several_players(cluster: None) -> None:
    name = register_env("TwoPlayerPong-v0", max_episode_steps=50)
    config = (
        ppo(name, 1, "sync")
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda *_, **__: "both")
        .training(train_batch_size_per_learner=100, minibatch_size=50)
    )
    algorithm = config.build_algo()
    result = algorithm.train()
    assert len(result["env_runners"]["agent_episode_returns_mean"]) == 2
    algorithm.stop()


def test_env_config_goes_before_options() -> None:
    register_env("CartPole-v1", name="both", max_episode_steps=10, num_threads=1)
    pool = created("both", num_envs=3, max_episode_steps=7)
    assert pool.config["max_episode_steps"] == 7
    assert pool.config["num_threads"] == 1
    pool.close()
    single = created("both")
    assert isinstance(single, parallel_pool.SingleEnv)
    assert single.config["max_episode_steps"] == 10


@pytest.mark.parametrize("mode", ["SameStep", "Disabled"])
def test_other_autoreset_modes_are_refused(mode: str) -> None:
    words = ("RLlib needs autoreset_mode='NextStep'", f"this pool has '{mode}'")
    with refused(parallel_pool.OptionError, *words):
        register_env("CartPole-v1", autoreset_mode=mode)
    register_env("CartPole-v1", name="plain")
    for context in ({"num_envs": 2}, {}):
        with refused(parallel_pool.OptionError, *words):
            created("plain", autoreset_mode=mode, **context)


def test_what_rllib_decides_is_refused() -> None:
    with refused(parallel_pool.OptionError, "num_envs_per_env_runner"):
        register_env("CartPole-v1", num_envs=8)
    with refused(parallel_pool.UnknownEnvError, "CartPole"):
        register_env("CartPool-v1")
