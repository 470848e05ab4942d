"""The conformance kit, and what is particular to Catch."""

import numpy as np
import parallel_pool
from parallel_pool.testing import PluginConformance


class TestConformance(PluginConformance):
    plugin = "catch"


def test_a_paddle_that_follows_the_ball_catches_it() -> None:
    with parallel_pool.make("catch/Catch-v0", num_envs=8) as envs:
        board, _ = envs.reset(seed=1)
        paddle = np.full(8, 2)
        for step in range(1, 10):
            ball = board[:, step - 1].argmax(axis=1)
            action = 1 + np.sign(ball - paddle)
            paddle = paddle + action - 1
            board, reward, terminated, _, _ = envs.step(action)
            assert terminated.all() == (step == 9)
        assert reward.tolist() == [1.0] * 8
