"""States of every kind of environment go on exactly.

Between pools and views, and what the pool knows of an episode: tests/model. Between processes: tests/isolation.
"""

from typing import Any

import numpy as np
import pytest
from parallel_pool import ResetNeededError, StateError
from test_envs.checks import refused
from test_envs.pools import make
from test_envs.states import ACTIONS, equal, play, same_future


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("name", [*ACTIONS, "Types"])
def test_a_restored_pool_goes_on_as_its_twin(name: str, mode: str) -> None:
    """Through hundreds of steps, time limits, ends of episodes and a later reset."""
    common: dict[str, Any] = {
        "num_envs": 20,
        "max_episode_steps": 30,
        "autoreset_mode": mode,
        "episode_statistics": True,
    }
    # Another size of shards, threads and seeds: nothing of it is part of a state.
    with make(name, seed=1, **common) as twin, make(name, seed=99, num_threads=2, **common) as pool:
        twin.reset()
        pool.reset()
        for moment in range(8):
            play(twin, name, 5 + moment, moment)
            play(pool, name, 3, moment)
            pool.set_state(None, twin.get_state())
            same_future(name, pool, twin, 60)
        equal(pool.reset([3, 1]), twin.reset([3, 1]))
        same_future(name, pool, twin, 50)


def test_saving_changes_nothing_and_equal_states_are_equal_bytes() -> None:
    for name in [*ACTIONS, "Types"]:
        with make(name, num_envs=4, seed=1) as twin, make(name, num_envs=4, seed=1) as pool:
            for each in (twin, pool):
                each.reset()
                play(each, name, 3, 0)
            assert pool.get_state() == pool.get_state() == twin.get_state()
            same_future(name, pool, twin, 50)


def test_statistics_count_on_and_are_nan_where_nobody_counted() -> None:
    arguments: dict[str, Any] = {"num_envs": 1, "max_count": 6}
    with make(**arguments, episode_statistics=True) as counted, make(**arguments) as plain:
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


def test_a_state_at_the_end_of_an_episode_waits_for_its_reset() -> None:
    """SAME_STEP has no such state; where the pool does not reset by itself, the user does."""
    sizes: dict[str, Any] = {"num_envs": 2, "max_count": 3}
    with make(**sizes) as pool:
        pool.reset()
        for _ in range(3):
            pool.step([1, 1])
        ended = pool.get_state()
        for _ in range(2):
            pool.step([1, 1])
        pool.set_state(None, ended)
        obs, reward, terminated, truncated, info = pool.step([1, 1])
        assert obs.tolist() == reward.tolist() == info["elapsed_step"].tolist() == [0, 0]
        assert not (terminated | truncated).any()
    with make(**sizes, autoreset_mode="Disabled") as disabled:
        disabled.reset()
        disabled.set_state([1], ended[:1])
        with refused(ResetNeededError, "environment 1 has ended"):
            disabled.step([0, 0])
        disabled.reset([1])
        disabled.step([0, 0])
    with make(**sizes, autoreset_mode="SameStep") as same_step:
        same_step.reset()
        with refused(StateError, "environment 0", "ended", "SAME_STEP"):
            same_step.set_state([0], ended[:1])
        same_step.step([0, 0])
