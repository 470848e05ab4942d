"""Classic control is Gymnasium's, bit for bit: observations, rewards, flags, over many seeds and episodes."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from classic_twins import lockstep


def uniform(low: float, high: float) -> Any:
    return lambda draw, _, n: draw.uniform(low, high, (n, 1)).astype(np.float32)


def pump(draw: np.random.Generator, obs: Any, n: int) -> Any:
    """Pushes the way it moves, mostly: reaches the goal of MountainCar and Acrobot."""
    along = 2 * (obs[:, -1] > 0)
    return np.where(draw.random(n) < 0.1, draw.integers(0, 3, n), along)


def random3(draw: np.random.Generator, _: Any, n: int) -> Any:
    return draw.integers(0, 3, n)


def pump_gently(draw: np.random.Generator, obs: Any, n: int) -> Any:
    """Within the bounds, at them and beyond."""
    force = np.sign(obs[:, 1]) * draw.choice([0.5, 1.0, 1.5], n) + draw.normal(0, 0.1, n)
    exact = draw.random(n) < 0.2
    return np.where(exact, np.sign(force), force)[:, None].astype(np.float32)


def brake(draw: np.random.Generator, obs: Any, n: int) -> Any:
    """Balances Pendulum where it can, and drives it round and round where not."""
    torque = np.where(np.arange(n) % 2, 3 * np.sign(obs[:, 2]), -8 * obs[:, 1] - 2 * obs[:, 2])
    return (torque + draw.normal(0, 0.1, n))[:, None].astype(np.float32)


@pytest.mark.parametrize("policy", [uniform(-2, 2), brake])
def test_pendulum(policy: Any) -> None:
    assert lockstep("Pendulum-v1", policy, num_envs=100, steps=420) == 200


def test_pendulum_on_the_moon() -> None:
    assert lockstep("Pendulum-v1", brake, num_envs=10, steps=420, g=1.62) == 20


def test_mountain_car() -> None:
    assert lockstep("MountainCar-v0", pump, num_envs=100, steps=400) > 200
    assert lockstep("MountainCar-v0", random3, num_envs=10, steps=401, seed=1) >= 10


@pytest.mark.parametrize("goal_velocity", [0.03, 0.069])
def test_mountain_car_arrives_fast(goal_velocity: float) -> None:
    lockstep("MountainCar-v0", pump, num_envs=20, steps=400, goal_velocity=goal_velocity)


def test_mountain_car_continuous() -> None:
    assert lockstep("MountainCarContinuous-v0", pump_gently, num_envs=100, steps=400) > 200
    lockstep("MountainCarContinuous-v0", uniform(-1, 1), num_envs=10, steps=500)


@pytest.mark.parametrize("goal_velocity", [0.03, 0.07, 0.0700000001, 1e-9])
def test_mountain_car_continuous_arrives_fast(goal_velocity: float) -> None:
    lockstep(
        "MountainCarContinuous-v0", pump_gently, num_envs=20, steps=300, goal_velocity=goal_velocity
    )


def test_acrobot() -> None:
    assert lockstep("Acrobot-v1", pump, num_envs=100, steps=300) > 200
    lockstep("Acrobot-v1", random3, num_envs=10, steps=300, seed=1)


IDS = ["Pendulum-v1", "MountainCar-v0", "MountainCarContinuous-v0", "Acrobot-v1", "CartPole-v1"]


@pytest.mark.parametrize("task_id", IDS)
def test_spaces_and_limits_are_gymnasiums(task_id: str) -> None:
    ours, theirs = parallel_pool.make_spec(task_id), gymnasium.spec(task_id)
    original = gymnasium.make(task_id)
    assert ours.observation_space == original.observation_space
    assert ours.action_space == original.action_space
    assert ours.reward_threshold == theirs.reward_threshold
    assert ours.max_episode_steps == theirs.max_episode_steps


def test_acrobot_gives_its_angles() -> None:
    with parallel_pool.make("Acrobot-v1", num_envs=4, seed=0) as envs:
        envs.reset()
        obs, _, _, _, info = envs.step([0, 1, 2, 0])
        angles = np.arctan2(obs[:, [1, 3]], obs[:, [0, 2]])
        np.testing.assert_allclose(info["state"], angles, rtol=1e-5)
