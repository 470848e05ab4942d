"""The conformance kit, and dials that are found by their clicks."""

import numpy as np
import parallel_pool
from parallel_pool.testing import PluginConformance


class TestConformance(PluginConformance):
    plugin = "dial"


def test_steps_of_five_until_it_clicks_loudly_find_every_number() -> None:
    with parallel_pool.make("dial/Crack-v0", num_envs=64) as envs:
        obs, _ = envs.reset(seed=0)
        found = np.zeros(64, bool)
        for _ in range(60):
            obs, _, terminated, _, _ = envs.step(np.where(obs[:, 1] == 2, 2, 3))
            found |= terminated
        assert found.mean() > 0.9
