"""Observations in float32 and in stacks."""

from typing import Any

import gymnasium
import parallel_pool
import pytest
from mujoco_originals import reference
from parallel_pool.testing import play_beside


@pytest.mark.parametrize(
    ("task_id", "dtype", "depth"),
    [("Hopper-v5", "float32", 3), ("Ant-v5", "float32", 1), ("Reacher-v4", "float64", 3)],
)
def test_stacks_and_dtypes(task_id: str, dtype: str, depth: int) -> None:
    def original() -> Any:
        env = reference(task_id)
        if depth > 1:
            env = gymnasium.wrappers.FrameStackObservation(env, depth, padding_type="reset")
        return gymnasium.wrappers.TransformObservation(env, lambda obs: obs.astype(dtype), None)

    with parallel_pool.make(task_id, frame_stack=depth, obs_dtype=dtype) as pool:
        space = pool.single_observation_space
        (env,) = play_beside(pool, original, seed=5, steps=100).originals
        assert (space.shape, space.dtype) == (env.observation_space.shape, dtype)
