"""An environment that fails in a step or in the reset within it, in every autoreset mode."""

import numpy as np
import pytest
from parallel_pool import EnvError, ResetNeededError
from test_envs.checks import refused
from test_envs.pools import make
from twins import every_mode


@every_mode
def test_failures_do_not_disturb_the_others(mode: str) -> None:
    with make("Faulty", num_envs=3, autoreset_mode=mode) as pool:
        pool.reset()
        pool.step(np.array([0, 0, 0]))
        with pytest.raises(EnvError) as caught:
            pool.step(np.array([0, 1, 3]))  # 1: throws; 3: ends
        obs, reward, terminated, truncated, info = caught.value.result
        assert list(caught.value.failures) == [1]
        ended = mode == "SameStep"
        assert obs.tolist() == [2, 0, 0 if ended else 2]
        assert reward.tolist() == [1, 0, 1]
        assert terminated.tolist() == [False, False, True]
        assert truncated.tolist() == [False, True, False]
        if ended:
            assert list(info["final_obs"]) == [None, None, 2]
            assert info["_final_obs"].tolist() == [False, False, True]
        with refused(ResetNeededError, "environment 1 failed"):
            pool.step(np.zeros(1, int), [1])
        pool.reset([1] if mode != "Disabled" else [1, 2])
        obs, *_ = pool.step(np.zeros(3, int))
        assert obs.tolist() == [3, 1, {"NextStep": 0, "SameStep": 1, "Disabled": 1}[mode]]


def test_a_failing_kernel_resets_nobody() -> None:
    """Four lanes to a kernel, which fails as a whole; the other kernel's lanes go on."""
    with make("FaultyBatch", num_envs=8, autoreset_mode="SameStep", max_episode_steps=2) as pool:
        pool.reset()
        pool.step(np.zeros(8, int))
        with pytest.raises(EnvError) as caught:
            pool.step(np.array([0, 1, 0, 0, 0, 0, 0, 0]))
        assert sorted(caught.value.failures) == [0, 1, 2, 3]
        obs, _, _, truncated, info = caught.value.result
        assert truncated.all()
        assert info["_final_obs"].tolist() == [False] * 4 + [True] * 4
        assert list(info["final_obs"]) == [None] * 4 + [1] * 4
        assert obs.tolist() == [0] * 8
        pool.reset([0, 1, 2, 3])
        assert pool.step(np.zeros(8, int))[0].tolist() == [1] * 8


def test_a_failing_environment_has_no_final_observation() -> None:
    with make("Faulty", num_envs=2, autoreset_mode="SameStep") as pool:
        pool.reset()
        for _ in range(20):  # long enough that memory of batches with ends is used again
            pool.step(np.array([3, 3]))
            with pytest.raises(EnvError) as caught:
                pool.step(np.array([1, 0]))
            assert "final_obs" not in caught.value.result[4]
            pool.reset([0])


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
