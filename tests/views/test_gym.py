"""The pool in EnvPool's shapes."""

import gymnasium
import numpy as np
from test_envs.pools import make


def test_spaces_are_of_one_environment() -> None:
    with make("Count", "gym", num_envs=4) as pool:
        assert isinstance(pool, gymnasium.Env)
        assert pool.action_space.n == 3
        assert pool.observation_space.shape == ()
        assert pool.single_action_space == pool.action_space
        assert pool.single_observation_space == pool.observation_space
        assert pool.is_vector_env
        assert len(pool) == pool.num_envs == 4


def test_reset_gives_the_info_where_asked_to() -> None:
    with make("Walk", "gym", num_envs=3, seed=0, gym_reset_return_info=True) as pool:
        obs, info = pool.reset([2, 0])
        assert obs.shape == (2, 2)
        assert info["env_id"].tolist() == [2, 0]
        assert info["elapsed_step"].tolist() == [0, 0]
        assert pool.config["gym_reset_return_info"] is True
    with make("Walk", "gym") as pool:
        assert pool.config["gym_reset_return_info"] is False
    with make("Walk", "dm") as pool:
        assert pool.config["gym_reset_return_info"] is True


def test_rewards_are_float32() -> None:
    with make("Count", "gym", num_envs=3, scale=0.1, max_count=2) as pool:
        pool.reset()
        _, reward, terminated, truncated, info = pool.step(np.array([0, 1, 2]))
        assert reward.dtype == np.float32
        assert reward.tolist() == np.float32([0, 0.1, 0.2]).tolist()
        assert terminated.dtype == truncated.dtype == np.bool_
        assert set(info) == {"env_id", "players", "elapsed_step", "TimeLimit.truncated", "total"}
        assert info["players"]["env_id"].tolist() == info["env_id"].tolist() == [0, 1, 2]
        pool.step(np.array([1, 1, 1]))
        _, reward, *_ = pool.step(np.array([1, 1, 1]))
        assert reward.tolist() == [0, 0, 0], "the step after the end resets"


def test_recv_as_reset_and_as_step() -> None:
    with make("Count", "gym", num_envs=4, batch_size=2) as pool:
        pool.async_reset()
        obs, info = pool.recv(reset=True)
        assert len(obs) == len(info["env_id"]) == 2
        assert len(pool.recv(reset=True, return_info=False)) == 2
        pool.send(np.ones(2, int), info["env_id"])
        assert len(pool.recv()) == 5


def test_wrappers_of_single_environments_may_hold_it() -> None:
    pool = gymnasium.Wrapper(make("Count", "gym", num_envs=2))
    pool.reset()
    assert pool.step(np.array([1, 2]))[1].tolist() == [1, 2]
    pool.close()
