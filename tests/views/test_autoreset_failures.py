"""A kernel, and a reset within a step, that fail in SAME_STEP. Other failures: tests/model."""

import numpy as np
import pytest
from parallel_pool import EnvError
from test_envs.pools import make


def test_a_failing_kernel_resets_nobody() -> None:
    """Four lanes to a kernel, which fails as a whole; the other kernel's lanes go on."""
    with make("FaultyBatch", num_envs=8, autoreset_mode="SameStep", max_episode_steps=2) as pool:
        pool.reset()
        pool.step(np.zeros(8, int))
        with pytest.raises(EnvError) as caught:
            pool.step(np.array([0, 1, 0, 0, 0, 0, 0, 0]))
        assert caught.value.failures == dict.fromkeys(range(4), "kernel failed")
        obs, _, _, truncated, info = caught.value.result
        assert truncated.all()
        assert info["_final_obs"].tolist() == [False] * 4 + [True] * 4
        assert list(info["final_obs"]) == [None] * 4 + [1] * 4
        assert obs.tolist() == [0] * 8
        pool.reset([0, 1, 2, 3])
        assert pool.step(np.zeros(8, int))[0].tolist() == [1] * 8


def test_a_reset_that_fails_within_a_step() -> None:
    """SAME_STEP: the episode ended well, but the next one could not begin."""
    with make("Faulty", num_envs=2, autoreset_mode="SameStep") as pool:
        pool.reset()
        pool.step(np.array([4, 0]))  # the next reset of environment 0 throws
        with pytest.raises(EnvError, match="environment 0: boom in reset") as caught:
            pool.step(np.array([3, 0]))
        obs, _, terminated, truncated, _ = caught.value.result
        assert (obs[0], terminated[0], truncated[0]) == (0, False, True)
        assert obs[1] == 2
        pool.reset([0])
        obs, *_ = pool.step(np.array([0, 0]))
        assert obs.tolist() == [1, 3]
