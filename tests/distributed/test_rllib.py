"""RLlib: environments by name, in runners here and in another process, on a RayPool, and of several players."""

from typing import Any

import numpy as np
import parallel_pool
from test_envs.checks import refused
from test_envs.libraries import needed

needed("ray", "ray.rllib.algorithms.ppo")

from parallel_pool.views.gymnasium import GymnasiumPool  # noqa: E402
from parallel_pool_ray import RayPool  # noqa: E402
from parallel_pool_ray.rllib import register_env  # noqa: E402
from ray.rllib.algorithms.ppo import PPOConfig  # noqa: E402
from ray.tune.registry import ENV_CREATOR, _global_registry  # noqa: E402
from test_envs.ray_pools import kill  # noqa: E402


def ppo(name: str, mode: str = "vector_entry_point", envs: int = 8, **training: Any) -> Any:
    how = {"train_batch_size_per_learner": 200, "minibatch_size": 100, "num_epochs": 1, **training}
    return (
        PPOConfig()
        .environment(name)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=envs, gym_env_vectorize_mode=mode)
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


def test_what_does_not_fit_is_refused() -> None:
    mode = "RLlib needs autoreset_mode='NextStep'"
    options: dict[str, Any]
    context: dict[str, Any]
    for options, words in (
        ({"pools": 2, "autoreset_mode": "SameStep"}, mode),
        ({"autoreset_mode": "Disabled"}, "this pool has 'Disabled'"),
        ({"pools": 2, "batch_size": 4}, "decides batch_size: num_envs_per_env_runner"),
        ({"num_envs": 8}, "decides num_envs: num_envs_per_env_runner"),
        ({"on_loss": "raise"}, "on_loss"),  # no pools=, so no RayPool
    ):
        with refused(parallel_pool.OptionError, words):
            register_env("CartPole-v1", **options)
    with refused(parallel_pool.UnknownEnvError, "CartPole"):
        register_env("CartPool-v1")
    for options, context, words in (
        ({"pools": 2}, {}, "gym_env_vectorize_mode='vector_entry_point'"),
        ({"pools": 2}, {"num_envs": 8, "batch_size": 4}, "no batch_size"),
        ({"pools": 2}, {"num_envs": 8, "autoreset_mode": "Disabled"}, "this pool has 'Disabled'"),
        ({}, {"num_envs": 2, "autoreset_mode": "Disabled"}, mode),
        ({}, {"autoreset_mode": "SameStep"}, "this pool has 'SameStep'"),
    ):
        name = register_env("CartPole-v1", "right", **options)
        with refused(parallel_pool.OptionError, words):
            created(name, **context)


def test_a_runner_has_one_pool_and_trains(cluster: None) -> None:
    name = register_env("CartPole-v1", max_episode_steps=20)
    assert name == "CartPole-v1"
    algorithm = ppo(name).build_algo()
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
    for name in ("short", "parallel_pool.gymnasium:ParallelPool/CartPole-v1"):
        algorithm = ppo(name, envs=4).env_runners(num_env_runners=1).build_algo()
        result = algorithm.train()
        assert result["env_runners"]["num_env_steps_sampled"] >= 200
        assert (result["env_runners"]["episode_len_max"] <= 10) == (name == "short")
        algorithm.stop()


def test_several_players(cluster: None) -> None:
    name = register_env("TwoPlayerPong-v0", max_episode_steps=50)
    of_both = {"policies": {"both"}, "policy_mapping_fn": lambda *_, **__: "both"}
    algorithm = ppo(name, "sync", envs=1).multi_agent(**of_both).build_algo()
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
