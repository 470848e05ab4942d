"""Pictures and texts are Gymnasium's own, pixel by pixel, at every step."""

import contextlib
import signal
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvAccessError, OptionError
from parallel_pool.testing import Play, play_beside
from parallel_pool_author.testing.checks import ENV_CHECKS
from parallel_pool_author.testing.env_under_test import EnvUnderTest
from test_envs.programs import python

pytest.importorskip("pygame")


@pytest.mark.parametrize(
    ("task_id", "mode", "options"),
    [
        ("CartPole-v1", "rgb_array", {}),
        ("Pendulum-v1", "rgb_array", {}),
        ("MountainCar-v0", "rgb_array", {}),
        ("MountainCarContinuous-v0", "rgb_array", {}),
        ("Acrobot-v1", "rgb_array", {}),
        ("FrozenLake-v1", "rgb_array", {}),
        ("FrozenLake-v1", "rgb_array", {"desc": ["SFF", "HFG"]}),
        ("FrozenLake8x8-v1", "ansi", {}),
        ("CliffWalkingSlippery-v1", "rgb_array", {}),
        ("CliffWalking-v1", "ansi", {}),
        ("Taxi-v4", "rgb_array", {}),
        ("Taxi-v4", "ansi", {}),
        ("Blackjack-v1", "rgb_array", {}),
    ],
)
def test_frames_are_gymnasiums(task_id: str, mode: str, options: dict[str, Any]) -> None:
    def original() -> Any:
        return gymnasium.make(task_id, render_mode=mode, disable_env_checker=True, **options)

    def act(play: Play) -> Any:
        ours, theirs = play.pool.render([1])[0], play.originals[1].render()
        np.testing.assert_equal(ours, theirs)
        assert isinstance(theirs, str) or ours.dtype == np.uint8
        return play.sample()

    with parallel_pool.make(task_id, num_envs=2, render_mode=mode, **options) as ours:
        theirs = play_beside(ours, original, act, seed=5, steps=12).originals[1]
        assert ours.metadata["render_fps"] == theirs.metadata["render_fps"]


@pytest.mark.parametrize("name", ["Catch-v0", "NChain-v0", "TwoPlayerPong-v0", "Blackjack-v1"])
def test_what_only_we_draw_is_well_formed(name: str) -> None:
    """In every mode; what it shows is for the eye."""
    assert ENV_CHECKS["render"](EnvUnderTest(f"classic/{name}")) != ""


def test_pictures_have_one_size() -> None:
    with (
        parallel_pool.make("CartPole-v1", render_mode="rgb_array", render_width=100) as envs,
        pytest.raises(OptionError, match="'width': 100"),
    ):
        envs.reset()
        envs.render()


@pytest.mark.parametrize("task_id", ["Acrobot-v1", "CartPole-v1", "MountainCar-v0", "Pendulum-v1"])
def test_numbers_that_cannot_be_drawn(task_id: str) -> None:
    with parallel_pool.make(task_id, num_envs=2, render_mode="rgb_array", seed=0) as envs:
        envs.reset()
        state = envs.read_array("state", [1])
        envs.write_array("state", np.full_like(state, np.nan), [1])
        with pytest.raises(
            EnvAccessError, match=r"environment 1 could not be drawn: .*NaN"
        ) as caught:
            envs.render()
        assert isinstance(caught.value.__cause__, ValueError)
        envs.write_array("state", state, [1])
        assert envs.render()[1].any()


THREADS = """
import sys
sys.path.append(sys.argv[1])
from functools import partial
import numpy as np
import parallel_pool
from parallel_pool.rendering import renderer_handle
from test_envs.threads import in_threads
made = []

class Counted(renderer_handle.RenderThreads):
    def __init__(self, *arguments):
        made.append(self)
        super().__init__(*arguments)

renderer_handle.RenderThreads = Counted
ids = ("CartPole-v1", "Pendulum-v1", "Acrobot-v1", "MountainCar-v0", "Taxi-v4") * 2
pools = [parallel_pool.make(id, num_envs=2, seed=seed, render_mode="rgb_array") for seed, id in enumerate(ids)]
for pool in pools:
    pool.reset()
drawn = [[] for pool in pools]

def draw(pool, into):
    for _ in range(6):
        into.append(pool.render())

in_threads(*(partial(draw, *each) for each in zip(pools, drawn) for _ in range(2)))
assert len(made) == len(pools)  # one thread draws each
for pool, seen in zip(pools, drawn):
    for each in seen:
        np.testing.assert_equal(each, pool.render())
"""


def test_pools_of_several_threads_draw_what_each_of_them_shows() -> None:
    """Two of each pool, from the first pictures on, for which they import Gymnasium's environment."""
    python("-c", THREADS, Path(__file__).parents[3] / "tests")


def test_a_handler_that_raises_leaves_no_picture_half_drawn() -> None:
    """It does not run where pictures are drawn."""

    class Alarm(BaseException): ...  # an Exception breaks threading.Thread.start

    def handler(*_: Any) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    try:
        with parallel_pool.make("CartPole-v1", num_envs=2, seed=1, render_mode="rgb_array") as envs:
            envs.reset()
            for count in range(30):
                with contextlib.suppress(Alarm):
                    signal.setitimer(signal.ITIMER_REAL, 0.0005 * (count + 1))
                    for _ in range(50):
                        envs.render()
            signal.setitimer(signal.ITIMER_REAL, 0)
            theirs = gymnasium.make("CartPole-v1", render_mode="rgb_array")
            theirs.reset(seed=1)
            np.testing.assert_equal(envs.render()[0], theirs.render())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
