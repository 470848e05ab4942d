"""Pictures are Gymnasium's, pixel by pixel, at every step."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest

pytest.importorskip("Box2D")
pytest.importorskip("pygame")

from box2d_twins import Driving, Play, Walking, at_random, landing


def skidding(draw: np.random.Generator, envs: list[Any], obs: Any) -> Any:
    """Full gas and hard turns, so that there are marks on road and grass."""
    steps = round(envs[0].unwrapped.t * 50)
    return np.float32([[1 if steps // 15 % 2 else -1, steps % 50 < 40, 0]])


@pytest.mark.parametrize(
    ("task_id", "play", "steps"),
    [
        ("LunarLander-v3", at_random, 120),
        ("LunarLander-v3", landing, 250),
        ("LunarLanderContinuous-v3", landing, 120),
        ("BipedalWalker-v3", Walking(), 150),
        ("BipedalWalkerHardcore-v3", Walking(), 150),
        ("CarRacing-v3", Driving(), 120),
        ("CarRacing-v3", skidding, 120),
    ],
)
def test_frames_are_gymnasiums(task_id: str, play: Play, steps: int) -> None:
    draw = np.random.default_rng(2)
    theirs = gymnasium.make(task_id, render_mode="rgb_array", disable_env_checker=True)
    with parallel_pool.make(f"box2d/{task_id}", num_envs=1, render_mode="rgb_array") as ours:
        ours.reset(seed=5)
        obs, _ = theirs.reset(seed=5)
        np.testing.assert_array_equal(ours.render()[0], theirs.render())
        for _ in range(steps):
            actions = play(draw, [theirs], obs[None])
            obs, _, terminated, truncated, _ = theirs.step(actions[0])
            ours.step(actions)
            np.testing.assert_array_equal(ours.render()[0], theirs.render())
            if terminated or truncated:
                break
        assert play is not skidding or theirs.unwrapped.car.particles
        assert ours.metadata["render_fps"] == theirs.metadata["render_fps"]
    theirs.close()
