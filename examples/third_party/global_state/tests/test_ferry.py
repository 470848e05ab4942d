"""The conformance kit, and crossings that follow each other without a reset."""

import numpy as np
import parallel_pool
from parallel_pool.testing import PluginConformance


class TestConformance(PluginConformance):
    plugin = "ferry"


def test_each_environment_has_a_game_of_its_own_that_begins_anew() -> None:
    with parallel_pool.make("ferry/Cross-v0", num_envs=8, num_threads=2) as envs:
        obs, _ = envs.reset(seed=0)
        assert len({tuple(each) for each in obs}) > 1
        ends = np.zeros(8, int)
        for _ in range(200):
            obs, _, terminated, truncated, info = envs.step(np.ones(8, np.int64))
            assert not truncated.any() and "final_obs" not in info
            assert (obs[terminated, 3] == 0).all() and (obs[~terminated, 3] > 0).all()
            ends += terminated
        assert (ends > 3).all() and len(set(ends)) > 1
