"""EnvPool's ids and their time limits."""

import numpy as np
import parallel_pool
import pytest

ENVPOOLS = {
    "CartPole-v0": 200,
    "phys2d/CartPole-v0": 200,
    "CartPole-v1": 500,
    "phys2d/CartPole-v1": 500,
    "Pendulum-v0": 200,
    "phys2d/Pendulum-v0": 200,
    "Pendulum-v1": 200,
    "MountainCar-v0": 200,
    "MountainCarContinuous-v0": 999,
    "Acrobot-v1": 500,
    "Catch-v0": None,
    "FrozenLake-v1": 100,
    "FrozenLake8x8-v1": 200,
    "Taxi-v3": 200,
    "NChain-v0": 1000,
    "CliffWalking-v1": None,
    "tabular/CliffWalking-v0": None,
    "CliffWalkingSlippery-v1": None,
    "CliffWalking-v0": None,
    "Blackjack-v1": None,
    "tabular/Blackjack-v0": None,
}
"""EnvPool 1.2.5's ids, and after how many steps it truncates."""


@pytest.mark.parametrize(("task_id", "limit"), ENVPOOLS.items())
def test_envpools_ids(task_id: str, limit: int | None) -> None:
    with parallel_pool.make(task_id, "gym", num_envs=2, seed=0) as envs:
        assert envs.config["max_episode_steps"] == limit
        obs = envs.reset()
        assert obs.shape == (2, *envs.observation_space.shape)
        envs.step(np.stack([envs.action_space.sample()] * 2))
