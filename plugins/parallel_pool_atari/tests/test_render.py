"""Pictures are ALE's own, whatever is between the machine and the observation."""

from typing import Any

import ale_py
import gymnasium
import numpy as np
import parallel_pool
import pytest

gymnasium.register_envs(ale_py)
ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)

SLOW = [pytest.param(game, marks=pytest.mark.slow) for game in ("Breakout", "Seaquest")]


@pytest.mark.parametrize("game", ["Pong", *SLOW, "AirRaid"])
def test_pictures_equal_gymnasiums(game: str) -> None:
    original: Any = gymnasium.make(f"ALE/{game}-v5", render_mode="rgb_array")
    pool = parallel_pool.make(
        f"atari/ALE-{game}-v5", num_envs=2, seed=[7, 8], render_mode="rgb_array"
    )
    original.reset(seed=7)
    pool.reset()
    actions = np.random.default_rng(0).integers(0, pool.single_action_space.n, (120, 2))
    for step, action in enumerate(actions):
        if step % 10 == 0:
            frames = pool.render()
            np.testing.assert_array_equal(frames[0], original.render())
            assert frames[1].shape == frames[0].shape
        ended = original.step(action[0])[2]
        pool.step(action)
        if ended:
            break
    pool.close()
    original.close()
