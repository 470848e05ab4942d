"""What the pool knows of an episode is part of its state: pending resets, time limits, statistics, seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
from parallel_pool import ResetNeededError, StateError
from test_envs.checks import refused
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


def test_an_environment_before_its_first_reset() -> None:
    with make("Walk", num_envs=2, seed=3) as pool, make("Walk", num_envs=2, seed=3) as twin:
        fresh = pool.get_state()
        pool.reset()
        play(pool, "Walk", 5, 0)
        pool.set_state(None, fresh)
        with refused(ResetNeededError, "environment 0 was never reset"):
            pool.step([0, 0])
        # With the seed it was made with.
        equal(pool.reset(), twin.reset())
        same_future("Walk", pool, twin, 50)


def test_a_reset_with_a_seed_that_waits_is_part_of_the_state() -> None:
    with make("Walk", num_envs=2, seed=3) as pool:
        fresh = pool.get_state([1])
        first = pool.reset()[0]
        pool.set_state([0], fresh)
        np.testing.assert_array_equal(pool.reset([0])[0][0], first[1])


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
