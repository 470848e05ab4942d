"""Pictures and texts are Gymnasium's own, pixel by pixel, at every step."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError

pytest.importorskip("pygame")

PAIRS = [
    ("CartPole-v1", "rgb_array"),
    ("Pendulum-v1", "rgb_array"),
    ("MountainCar-v0", "rgb_array"),
    ("MountainCarContinuous-v0", "rgb_array"),
    ("Acrobot-v1", "rgb_array"),
    ("FrozenLake-v1", "rgb_array"),
    ("FrozenLake8x8-v1", "ansi"),
    ("CliffWalkingSlippery-v1", "rgb_array"),
    ("CliffWalking-v1", "ansi"),
    ("Taxi-v4", "rgb_array"),
    ("Taxi-v4", "ansi"),
    ("Blackjack-v1", "rgb_array"),
]


def same_picture(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, str):
        assert ours == theirs
    else:
        assert ours.dtype == np.uint8
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(("task_id", "mode"), PAIRS)
def test_frames_are_gymnasiums(task_id: str, mode: str) -> None:
    theirs = gymnasium.make(task_id, render_mode=mode, disable_env_checker=True)
    with parallel_pool.make(task_id, num_envs=2, render_mode=mode) as ours:
        ours.reset(seed=5)
        theirs.reset(seed=6)
        theirs.action_space.seed(0)
        same_picture(ours.render()[1], theirs.render())
        for _ in range(12):
            action = theirs.action_space.sample()
            _, _, terminated, truncated, _ = ours.step(np.stack([action, action]))
            theirs.step(action)
            same_picture(ours.render([1])[0], theirs.render())
            if (terminated | truncated)[1]:
                break
        fps = theirs.metadata["render_fps"]
        assert ours.metadata["render_fps"] == fps
    theirs.close()


def test_every_lake_has_its_own_picture() -> None:
    desc = ["SFF", "HFG"]
    theirs = gymnasium.make("FrozenLake-v1", desc=desc, render_mode="rgb_array")
    theirs.reset(seed=0)
    with parallel_pool.make("FrozenLake-v1", desc=desc, render_mode="rgb_array") as ours:
        ours.reset(seed=0)
        same_picture(ours.render()[0], theirs.render())
    theirs.close()


def test_catch_shows_its_board() -> None:
    with parallel_pool.make("Catch-v0", num_envs=2, render_mode="rgb_array", seed=1) as envs:
        obs, _ = envs.reset()
        obs, *_ = envs.step([0, 2])
        for board, picture in zip(obs, envs.render(), strict=True):
            assert picture.shape == (160, 80, 3)
            np.testing.assert_array_equal(picture[8::16, 8::16].max(2) > 100, board > 0)
    with parallel_pool.make("Catch-v0", render_mode="ansi", height=3, width=3, seed=1) as envs:
        obs, _ = envs.reset()
        text = envs.render()[0]
        ball = int(np.flatnonzero(obs[0, 0])[0])
        assert text.splitlines() == ["." * ball + "o" + "." * (2 - ball), "...", ".=."]


def test_n_chain_shows_where_it_is() -> None:
    with parallel_pool.make("NChain-v0", render_mode="ansi", slip=0.0) as envs:
        envs.reset()
        envs.step([0])
        assert envs.render()[0] == "o - X - o - o - o\n"
    with parallel_pool.make("NChain-v0", render_mode="rgb_array", n=1000, slip=0.0) as envs:
        envs.reset()
        assert envs.render()[0].shape == (32, 800, 3)
        before = envs.render()[0]
        envs.step([0])
        assert (before != envs.render()[0]).any()


def test_blackjack_in_words() -> None:
    with parallel_pool.make("Blackjack-v1", num_envs=40, render_mode="ansi", seed=0) as envs:
        (total, _, usable), _ = envs.reset()
        for text, player, ace in zip(envs.render(), total, usable, strict=True):
            assert f"player: {player}" in text
            assert ("usable ace" in text) == bool(ace)


def test_pictures_have_one_size() -> None:
    with (
        parallel_pool.make("CartPole-v1", render_mode="rgb_array", render_width=100) as envs,
        pytest.raises(OptionError, match="'width': 100"),
    ):
        envs.reset()
        envs.render()


def test_without_pygame_the_error_says_what_to_install() -> None:
    script = """
import sys
sys.modules["pygame"] = None
import parallel_pool
with parallel_pool.make("CartPole-v1", render_mode="rgb_array") as envs:
    envs.reset()
    envs.step([0])
    try:
        envs.render()
    except parallel_pool.OptionError as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert "pip install parallel-pool-classic[render]" in done.stdout
    assert "classic/CartPole-v1" in done.stdout
