"""Classic control is Gymnasium's, bit for bit: observations, rewards, flags, over many seeds and episodes."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.testing import Play
from test_envs.originals import Beside


def pump(play: Play) -> Any:
    """Pushes the way it moves, mostly: reaches the goal of MountainCar and Acrobot."""
    along = 2 * (play.obs[:, -1] > 0)
    return np.where(play.draw.random(len(along)) < 0.1, play.sample(), along)


def pump_gently(play: Play) -> Any:
    """Within the bounds, at them and beyond."""
    draw, n = play.draw, len(play.obs)
    force = np.sign(play.obs[:, 1]) * draw.choice([0.5, 1.0, 1.5], n) + draw.normal(0, 0.1, n)
    exact = draw.random(n) < 0.2
    return np.where(exact, np.sign(force), force)[:, None].astype(np.float32)


def brake(play: Play) -> Any:
    """Balances Pendulum where it can, and drives it round and round where not."""
    obs, n = play.obs, len(play.obs)
    torque = np.where(np.arange(n) % 2, 3 * np.sign(obs[:, 2]), -8 * obs[:, 1] - 2 * obs[:, 2])
    return (torque + play.draw.normal(0, 0.1, n))[:, None].astype(np.float32)


@pytest.mark.parametrize(
    ("task_id", "policy", "num_envs", "steps", "ends", "options"),
    [
        ("Pendulum-v1", None, 100, 420, 200, {}),
        ("Pendulum-v1", brake, 100, 420, 200, {}),
        ("Pendulum-v1", brake, 10, 420, 20, {"g": 1.62}),
        ("MountainCar-v0", pump, 100, 400, 201, {}),
        ("MountainCar-v0", None, 10, 401, 10, {}),
        ("MountainCar-v0", pump, 20, 400, 1, {"goal_velocity": 0.03}),
        ("MountainCar-v0", pump, 20, 400, 1, {"goal_velocity": 0.069}),
        ("MountainCarContinuous-v0", pump_gently, 100, 400, 201, {}),
        ("MountainCarContinuous-v0", None, 10, 500, 0, {}),
        *(
            ("MountainCarContinuous-v0", pump_gently, 20, 300, 0, {"goal_velocity": velocity})
            for velocity in (0.03, 0.07, 0.0700000001, 1e-9)
        ),
        ("Acrobot-v1", pump, 100, 300, 201, {}),
        ("Acrobot-v1", None, 10, 300, 0, {}),
    ],
)
def test_equals_gymnasium(
    task_id: str,
    policy: Any,
    num_envs: int,
    steps: int,
    ends: int,
    options: dict[str, float],
    beside: Beside,
) -> None:
    """ends: at least so many episodes end."""
    played = beside(task_id, task_id, policy, num_envs=num_envs, steps=steps, **options)
    assert played.ended.sum() >= ends


def test_acrobot_gives_its_angles() -> None:
    with parallel_pool.make("Acrobot-v1", num_envs=4, seed=0) as envs:
        envs.reset()
        obs, _, _, _, info = envs.step([0, 1, 2, 0])
        angles = np.arctan2(obs[:, [1, 3]], obs[:, [0, 2]])
        np.testing.assert_allclose(info["state"], angles, rtol=1e-5)
