"""Observations in float32 and in stacks."""

from __future__ import annotations

import gymnasium
import numpy as np
import parallel_pool
import pytest
from mujoco_twin import reference


@pytest.mark.parametrize("task_id", ["Hopper-v5", "Ant-v5", "Reacher-v4"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("depth", [1, 3])
def test_stacks_and_dtypes(task_id: str, dtype: str, depth: int) -> None:
    env = reference(task_id)
    if depth > 1:
        env = gymnasium.wrappers.FrameStackObservation(env, depth, padding_type="reset")
    with parallel_pool.make(task_id, seed=5, frame_stack=depth, obs_dtype=dtype) as pool:
        space = pool.single_observation_space
        assert space.shape == env.observation_space.shape
        assert space.dtype == dtype
        expected, _ = env.reset(seed=5)
        obs, _ = pool.reset()
        over = False
        for _ in range(100):
            assert obs.dtype == dtype
            np.testing.assert_array_equal(obs[0], expected.astype(dtype))
            action = pool.action_space.sample()
            obs, _, terminated, truncated, _ = pool.step(action)
            if over:
                expected, _ = env.reset()
                over = False
            else:
                expected, _, term, trunc, _ = env.step(action[0])
                assert (terminated[0], truncated[0]) == (term, trunc)
                over = term or trunc
    env.close()
