"""Pictures are ALE's own, whatever is between the machine and the observation."""

from pathlib import Path
from typing import Any

import ale_py
import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.wrappers.vector import HumanRendering, RecordVideo

gymnasium.register_envs(ale_py)
ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)


@pytest.mark.parametrize("game", ["Pong", "Breakout", "Seaquest", "AirRaid"])
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


def test_drawing_changes_nothing() -> None:
    looked, alone = (
        parallel_pool.make("Pong-v5", "gym", num_envs=2, seed=3, render_mode="rgb_array")
        for _ in range(2)
    )
    for each in (looked, alone):
        each.reset()
    for step in range(60):
        action = np.full(2, step % 6)
        frames = looked.render([0, 1])
        assert frames.shape == (2, 210, 160, 3)
        mine, other = looked.step(action), alone.step(action)
        np.testing.assert_array_equal(mine[0], other[0])
        np.testing.assert_array_equal(mine[1], other[1])
    looked.close()
    alone.close()


def test_films(tmp_path: Path) -> None:
    pool = parallel_pool.make("Pong-v5", num_envs=3, seed=3, render_mode="rgb_array")
    folder = tmp_path / "films"
    film = RecordVideo(pool, str(folder), step_trigger=lambda step: step == 0, video_length=10)
    film.reset()
    for _ in range(12):
        film.step(np.zeros(3, int))
    film.close()
    assert [path.suffix for path in folder.iterdir()] == [".mp4"]


def test_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pool = parallel_pool.make("Pong-v5", num_envs=3, seed=3, render_mode="rgb_array")
    window = HumanRendering(pool, screen_size=(320, 200))
    window.reset()
    window.step(np.zeros(3, int))
    window.close()


def test_one_environment() -> None:
    env: Any = gymnasium.make("parallel_pool.gymnasium:atari/Pong-v5", render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (210, 160, 3)
    assert env.metadata["render_fps"] == 15
    env.close()
