"""draw_every_frame changes nothing that is seen."""

import numpy as np
import parallel_pool
import pytest


@pytest.mark.parametrize("task_id", ["Breakout-v5", "Seaquest-v5"])
def test_drawing_every_frame_shows_the_same(task_id: str) -> None:
    draw = np.random.default_rng(0)
    with (
        parallel_pool.make(task_id, num_envs=2, seed=5) as usual,
        parallel_pool.make(task_id, num_envs=2, seed=5, draw_every_frame=True) as every,
    ):
        np.testing.assert_array_equal(usual.reset()[0], every.reset()[0])
        for _ in range(500):
            actions = draw.integers(0, usual.single_action_space.n, 2)
            for got, wanted in zip(usual.step(actions)[:4], every.step(actions)[:4], strict=True):
                np.testing.assert_array_equal(got, wanted)
