"""The three autoreset modes, in lockstep with Gymnasium's SyncVectorEnv.

At the end a kernel, and a reset within a step, that fail in SAME_STEP. Asynchronous pools, other failures and
the other views: tests/model.
"""

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from parallel_pool import EnvError
from test_envs.pools import WALKS, begun, make
from views.twins import MODES, assert_same, both, every_mode, play


@every_mode
@pytest.mark.parametrize(
    ("options", "threads"),
    [
        ({"max_count": 3}, 1),
        ({"max_count": 1}, 2),
        ({"max_count": 9, "limit": 4}, 1),
        ({"max_count": 4, "limit": 4}, 2),
        ({"max_count": 9, "truncate_at": 2}, 1),
        ({"max_count": 2, "truncate_at": 2, "scale": 0.1}, 2),
    ],
)
def test_counting_is_gymnasiums(mode: str, threads: int, options: dict[str, Any]) -> None:
    mine, theirs = both("Count", 4, mode, pool={"num_threads": threads}, **options)
    assert_same(mine.reset(seed=1), theirs.reset(seed=1))
    assert play(mine, theirs, 30) >= 4 * 6


@every_mode
@pytest.mark.parametrize("name", WALKS)
def test_episodes_that_end_apart_are_gymnasiums(name: str, mode: str) -> None:
    threads = 1 + (WALKS.index(name) + MODES.index(mode)) % 2
    mine, theirs = both(name, 5, mode, limit=15, pool={"num_threads": threads})
    assert_same(mine.reset(seed=7), theirs.reset(seed=7))
    assert play(mine, theirs, 200) > 50
    # In the middle of episodes, and with an autoreset pending.
    assert_same(
        mine.reset(seed=[3, None, 2**40, None, 0]), theirs.reset(seed=[3, None, 2**40, None, 0])
    )
    assert play(mine, theirs, 50) > 5


@every_mode
def test_modes_may_be_given_as_gymnasium_gives_them(mode: str) -> None:
    for spelt in (mode, AutoresetMode(mode), AutoresetMode(mode).name):
        with make(autoreset_mode=spelt) as pool:
            assert pool.autoreset_mode is AutoresetMode(mode)
            assert pool.metadata["autoreset_mode"] is AutoresetMode(mode)
            assert pool.config["autoreset_mode"] == mode


def test_final_obs_of_nested_spaces() -> None:
    with make("Types", num_envs=2, autoreset_mode="SameStep", max_episode_steps=2) as pool:
        first, _ = pool.reset()
        action = pool.action_space.sample()
        pool.step(action)
        obs, _, _, truncated, info = pool.step(action)
        assert truncated.all()
        assert obs["types"]["i8"].tolist() == first["types"]["i8"].tolist()
        for row, final in enumerate(info["final_obs"]):
            assert pool.single_observation_space.contains(final)
            assert final["types"]["i8"].tolist() == [2, 2, 2]
            assert final["echo"]["joint"] == action["joint"][row]


def test_a_failing_kernel_resets_nobody() -> None:
    """Four lanes to a kernel, which fails as a whole; the other kernel's lanes go on."""
    with make("FaultyBatch", num_envs=8, autoreset_mode="SameStep", max_episode_steps=2) as pool:
        pool.reset()
        pool.step(np.zeros(8, int))
        with pytest.raises(EnvError) as caught:
            pool.step(np.array([0, 1, 0, 0, 0, 0, 0, 0]))
        assert caught.value.failures == dict.fromkeys(range(4), "kernel failed")
        obs, _, _, truncated, info = caught.value.result
        assert truncated.all()
        assert info["_final_obs"].tolist() == [False] * 4 + [True] * 4
        assert list(info["final_obs"]) == [None] * 4 + [1] * 4
        assert obs.tolist() == [0] * 8
        pool.reset([0, 1, 2, 3])
        assert pool.step(np.zeros(8, int))[0].tolist() == [1] * 8


def test_a_reset_that_fails_within_a_step() -> None:
    """The episode ended well, but the next one could not begin."""
    with begun(make("Faulty", num_envs=2, autoreset_mode="SameStep")) as pool:
        pool.step(np.array([4, 0]))  # the next reset of environment 0 throws
        with pytest.raises(EnvError, match="environment 0: boom in reset") as caught:
            pool.step(np.array([3, 0]))
        obs, _, terminated, truncated, _ = caught.value.result
        assert (obs[0], terminated[0], truncated[0]) == (0, False, True)
        assert obs[1] == 2
        pool.reset([0])
        obs, *_ = pool.step(np.array([0, 0]))
        assert obs.tolist() == [1, 3]
