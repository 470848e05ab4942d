"""Pictures are Gymnasium's, pixel by pixel, at every step."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest

pytest.importorskip("Box2D")
pytest.importorskip("pygame")

from box2d_originals import Driving, Walking, landing
from parallel_pool.testing import Play, play_beside


def skidding(play: Play) -> Any:
    """Full gas and hard turns, so that there are marks on road and grass."""
    return np.float32([[1 if play.step // 15 % 2 else -1, play.step % 50 < 40, 0]])


@pytest.mark.parametrize(
    ("task_id", "policy", "steps"),
    [
        ("LunarLander-v3", None, 120),
        ("LunarLander-v3", landing, 250),
        pytest.param("LunarLanderContinuous-v3", landing, 120, marks=pytest.mark.slow),
        ("BipedalWalker-v3", Walking(), 150),
        ("BipedalWalkerHardcore-v3", Walking(), 150),
        pytest.param("CarRacing-v3", Driving(), 120, marks=pytest.mark.slow),
        ("CarRacing-v3", skidding, 120),
    ],
)
def test_frames_are_gymnasiums(task_id: str, policy: Any, steps: int) -> None:
    def act(play: Play) -> Any:
        np.testing.assert_array_equal(play.pool.render()[0], play.originals[0].render())
        return policy(play) if policy else play.sample()

    def original() -> Any:
        return gymnasium.make(task_id, render_mode="rgb_array", disable_env_checker=True)

    with parallel_pool.make(f"box2d/{task_id}", num_envs=1, render_mode="rgb_array") as pool:
        (theirs,) = play_beside(pool, original, act, seed=5, steps=steps).originals
        assert policy is not skidding or theirs.unwrapped.car.particles
        assert pool.metadata["render_fps"] == theirs.metadata["render_fps"]
