"""What the pool knows of an episode is part of its state: pending resets, time limits, statistics, seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from parallel_pool import ResetNeededError, StateError
from test_envs.checks import leaves, refused
from test_envs.pools import make
from test_envs.states import equal, play, same_future


def test_a_pending_autoreset_is_part_of_the_state() -> None:
    with make(num_envs=2, max_count=3) as pool:
        pool.reset()
        for _ in range(3):
            result = pool.step([1, 1])
        assert result[2].all()
        ended = pool.get_state()
        for _ in range(2):
            obs, reward, *_, info = pool.step([1, 1])
        assert obs.tolist() == [1, 1]
        pool.set_state(None, ended)
        obs, reward, terminated, truncated, info = pool.step([1, 1])
        assert obs.tolist() == reward.tolist() == info["elapsed_step"].tolist() == [0, 0]
        assert not terminated.any()
        assert not truncated.any()
        # Where the pool does not reset by itself, it waits for its reset; SAME_STEP has no such state.
        with make(num_envs=2, max_count=3, autoreset_mode="Disabled") as disabled:
            disabled.reset()
            disabled.set_state([1], ended[:1])
            with refused(ResetNeededError, "environment 1 has ended"):
                disabled.step([0, 0])
            disabled.reset([1])
            disabled.step([0, 0])
        with make(num_envs=2, max_count=3, autoreset_mode="SameStep") as same_step:
            same_step.reset()
            with refused(StateError, "environment 0", "ended", "SAME_STEP"):
                same_step.set_state([0], ended[:1])
            same_step.step([0, 0])


def test_the_time_limit_counts_on() -> None:
    with make("Count", num_envs=1, max_count=1000, max_episode_steps=10) as pool:
        pool.reset()
        for _ in range(7):
            pool.step([0])
        state = pool.get_state()
        for _ in range(20):
            pool.step([0])
        pool.set_state(None, state)
        flags = [bool(pool.step([0])[3][0]) for _ in range(4)]
        assert flags == [False, False, True, False]


def test_statistics_count_on_and_are_nan_where_nobody_counted() -> None:
    arguments: dict[str, Any] = {"num_envs": 1, "max_count": 6}
    with (
        make(**arguments, episode_statistics=True) as counted,
        make(**arguments) as plain,
    ):
        for pool in (counted, plain):
            pool.reset()
            for _ in range(4):
                pool.step([2])
        state = counted.get_state()
        counted.reset()
        counted.set_state(None, state)
        counted.step([2])
        episode = counted.step([2])[4]["episode"]
        assert (episode["r"].tolist(), episode["l"].tolist()) == ([12.0], [6])
        assert 0 <= episode["t"][0] < 60
        counted.set_state(None, plain.get_state())
        counted.step([2])
        episode = counted.step([2])[4]["episode"]
        assert np.isnan(episode["r"][0])
        assert np.isnan(episode["t"][0])
        assert episode["l"].tolist() == [6]
        # The next episode is counted as always.
        counted.step([2])
        for _ in range(6):
            result = counted.step([2])
        assert result[4]["episode"]["r"].tolist() == [12.0]


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_before_its_first_reset_an_environment_has_no_state(env_type: str) -> None:
    """The first of a pool that was never reset, and those that a reset of some has left out."""
    with make("Walk", env_type, num_envs=3, seed=3) as pool:
        for first in (0, 1):
            with refused(ResetNeededError, f"environment {first} was never reset", "saved"):
                pool.get_state()
            with refused(ResetNeededError, f"environment {first} was never reset"):
                pool.clone(first, [2])
            with refused(ResetNeededError, f"environment {first} was never reset"):
                pool.pickled(include_state=True)
            pool.reset([first])
        assert len(pool.get_state([0, 1])) == 2
        # Refused calls have changed nothing: it has the seed that it was made with.
        with make("Walk", env_type, num_envs=3, seed=3) as twin:
            for got, wanted in zip(leaves(pool.reset([2])), leaves(twin.reset([2])), strict=True):
                np.testing.assert_array_equal(got, wanted)


def test_a_state_makes_a_reset_unnecessary() -> None:
    with make("Walk", num_envs=2, seed=3) as pool, make("Walk", num_envs=2, seed=8) as fresh:
        pool.reset()
        play(pool, "Walk", 5, 0)
        fresh.set_state([1], pool.get_state([1]))
        with refused(ResetNeededError, "environment 0 was never reset"):
            fresh.step([0, 0])
        equal(fresh.step([1], [1]), pool.step([1], [1]))
        fresh.set_state([0], pool.get_state([0]))
        same_future("Walk", pool, fresh, 50)


def test_a_masked_reset_does_not_show_what_was_before_the_state() -> None:
    with make(num_envs=2) as pool:
        pool.reset()
        states = pool.get_state()
        pool.step([1, 1])
        pool.set_state(None, states)
        mask = np.array([True, False])
        with refused(ResetNeededError, "reset_mask"):
            pool.reset(options={"reset_mask": mask})
        pool.step([1, 1])
        assert pool.reset(options={"reset_mask": mask})[0].tolist() == [0, 1]
