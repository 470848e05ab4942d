"""A RayPool as the vector environment of a runner of RLlib, here and in another process."""

from __future__ import annotations

from typing import Any

import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.libraries import needed

needed("ray", "ray.rllib.algorithms.ppo")

from parallel_pool.distributed import RayPool  # noqa: E402
from parallel_pool.integrations.rllib import register_env  # noqa: E402
from ray.rllib.algorithms.ppo import PPOConfig  # noqa: E402
from ray.tune.registry import ENV_CREATOR, _global_registry  # noqa: E402
from test_envs.ray_pools import kill  # noqa: E402


def ppo(name: str, **training: Any) -> Any:
    how = {"train_batch_size_per_learner": 200, "minibatch_size": 100, "num_epochs": 1, **training}
    return (
        PPOConfig()
        .environment(name)
        .env_runners(
            num_env_runners=0,
            num_envs_per_env_runner=8,
            gym_env_vectorize_mode="vector_entry_point",
        )
        .training(**how)
        .debugging(seed=1)
    )


def created(name: str, **context: Any) -> Any:
    return _global_registry.get(ENV_CREATOR, name)(context)


def test_a_runner_steps_many_actors_and_goes_on_without_one(cluster: Any) -> None:
    name = register_env("CartPole-v1", "spanning", pools=2, max_episode_steps=20, in_flight=1)
    algorithm = ppo(name).build_algo()
    pool = algorithm.env_runner.env.unwrapped
    assert isinstance(pool, RayPool)
    assert len(pool.places) == 2
    result = algorithm.train()["env_runners"]
    assert 5 < result["episode_len_mean"] <= 20
    kill(pool, 0)
    for _ in range(2):
        result = algorithm.train()["env_runners"]
    assert 5 < result["episode_len_mean"] <= 20
    assert pool.stats()["generations"] == [1, 0]
    for episode in algorithm.env_runner.sample(num_episodes=16):
        assert episode.get_return() == len(episode)
    algorithm.stop()
    assert pool.closed


def test_a_runner_in_another_process(cluster: Any) -> None:
    name = register_env("CartPole-v1", "spanning from afar", pools=2, max_episode_steps=20)
    algorithm = ppo(name).env_runners(num_env_runners=1).build_algo()
    assert algorithm.train()["env_runners"]["num_env_steps_sampled"] >= 200
    algorithm.stop()


@pytest.mark.slow
def test_cartpole_is_learnt(cluster: Any) -> None:
    name = register_env("CartPole-v1", "learnt", pools=2)
    how = {"train_batch_size_per_learner": 2000, "minibatch_size": 250, "num_epochs": 10}
    algorithm = ppo(name, **how, lr=1e-3, gamma=0.98, lambda_=0.9).build_algo()
    best = 0.0
    for _ in range(60):
        best = max(best, algorithm.train()["env_runners"]["episode_return_mean"])
        if best >= 150:
            break
    algorithm.stop()
    assert best >= 150


def test_what_does_not_fit_is_refused() -> None:
    with refused(parallel_pool.OptionError, "needs autoreset_mode='NextStep'"):
        register_env("CartPole-v1", "wrong", pools=2, autoreset_mode="SameStep")
    with refused(parallel_pool.OptionError, "num_envs_per_env_runner"):
        register_env("CartPole-v1", "wrong", pools=2, batch_size=4)
    with refused(parallel_pool.OptionError, "on_loss"):
        register_env("CartPole-v1", "wrong", on_loss="raise")  # no pools=, so no RayPool
    name = register_env("CartPole-v1", "right", pools=2, on_loss="raise")
    with refused(parallel_pool.OptionError, "gym_env_vectorize_mode='vector_entry_point'"):
        created(name)
    with refused(parallel_pool.OptionError, "no batch_size"):
        created(name, num_envs=8, batch_size=4)
    with refused(parallel_pool.OptionError, "needs autoreset_mode='NextStep'"):
        created(name, num_envs=8, autoreset_mode="Disabled")
