"""The conformance kit, and the way to the end."""

import numpy as np
import parallel_pool
from parallel_pool.testing import PluginConformance


class TestConformance(PluginConformance):
    plugin = "corridor"


def test_whoever_walks_right_arrives() -> None:
    with parallel_pool.make("corridor/Corridor-v0", num_envs=20) as envs:
        first, _ = envs.reset(seed=3)
        assert 1 < len(set(first.tolist())) <= 10
        arrived = np.zeros(20, int)
        for step in range(1, 11):
            _, reward, terminated, _, _ = envs.step(np.ones(20, int))
            arrived[(reward == 1) & terminated & (arrived == 0)] = step
        assert arrived.tolist() == (10 - first).tolist()
