"""The conformance kit, and the physics seen from outside."""

import numpy as np
import parallel_pool
from parallel_pool.testing import PluginConformance


class TestConformance(PluginConformance):
    plugin = "seesaw"


def returns(policy: object) -> np.ndarray:
    """The steps that 16 balls stay on their planks, 500 at most."""
    with parallel_pool.make("seesaw/Balance-v0", num_envs=16, autoreset_mode="Disabled") as envs:
        obs, _ = envs.reset(seed=0)
        alive = np.ones(16, bool)
        steps = np.zeros(16)
        for _ in range(500):
            obs, reward, terminated, truncated, _ = envs.step(policy(obs))  # type: ignore[operator]
            steps += reward * alive
            alive &= ~(terminated | truncated)
            if not alive.any():
                break
            if (terminated | truncated).any():
                envs.reset(options={"reset_mask": terminated | truncated})
    return steps


def test_a_controller_keeps_the_ball_longer_than_letting_go() -> None:
    def lets_go(obs: np.ndarray) -> np.ndarray:
        return np.zeros((16, 1), np.float32)

    def holds(obs: np.ndarray) -> np.ndarray:
        angle, turning, x, _, speed, _ = obs.T
        wanted = 0.4 * x + 0.4 * speed  # lift the side that the ball is on
        torque = 4 * (wanted - angle) - 0.8 * turning
        return np.clip(torque, -1, 1).astype(np.float32)[:, None]

    assert returns(holds).mean() > 3 * returns(lets_go).mean()
