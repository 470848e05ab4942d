"""States: what was saved goes on exactly, anywhere it fits, in every view."""

from __future__ import annotations

from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import leaves, refused
from test_envs.pools import make
from test_envs.states import ACTIONS, actions_of, equal, play, same_future


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("name", [*ACTIONS, "Types"])
def test_a_restored_pool_goes_on_as_its_twin(name: str, mode: str) -> None:
    """Through thousands of steps, time limits, ends of episodes and a later reset."""
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
            same_future(name, pool, twin, 150)
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


@pytest.mark.parametrize("name", ACTIONS)
def test_some_environments_are_restored_and_the_others_left_alone(name: str) -> None:
    with make(name, num_envs=6, seed=1) as pool, make(name, num_envs=6, seed=1) as twin:
        pool.reset()
        twin.reset()
        states = pool.get_state([4, 1])
        assert [type(state) for state in states] == [bytes, bytes]
        for each in (pool, twin):
            play(each, name, 4, 0)
        pool.set_state([4, 1], states)
        draw = np.random.default_rng(3)
        rest = [0, 2, 3, 5]
        actions = actions_of(name, draw, 4)
        equal(pool.step(actions, rest), twin.step(actions, rest))
        # And those two are where they were: a fresh twin of the seed says so.
        with make(name, num_envs=6, seed=1) as fresh:
            fresh.reset()
            actions = actions_of(name, draw, 2)
            equal(pool.step(actions, [1, 4]), fresh.step(actions, [1, 4]))


def test_a_state_may_go_to_another_environment_of_another_pool() -> None:
    with make("Walk", num_envs=3, seed=5) as one, make("Walk", "gym", num_envs=9) as other:
        one.reset()
        other.reset()
        play(one, "Walk", 4, 0)
        other.set_state([8], one.get_state([2]))
        for _ in range(60):
            mine = one.step([1], [2])
            theirs = other.step([1], [8])
            np.testing.assert_array_equal(mine[0], theirs[0])
            np.testing.assert_array_equal(mine[2], theirs[2])


@pytest.mark.parametrize("name", ["Walk", "WalkBatch", "WalkLanes", "Memory"])
def test_clones_agree_until_their_actions_differ(name: str) -> None:
    with make(name, num_envs=9, seed=2) as pool:
        pool.reset()
        play(pool, name, 5, 0)
        pool.clone(0, range(1, 9))
        draw = np.random.default_rng(1)
        for _ in range(100):
            obs, reward, terminated, *_ = pool.step(np.full(9, draw.integers(ACTIONS[name])))
            assert (obs == obs[0]).all()
            assert (reward == reward[0]).all()
            assert (terminated == terminated[0]).all()
        pool.clone(3, [0, 1, 2, 3, 4, 5, 6, 7, 8])
        obs, reward, *_ = pool.step(np.arange(9) % ACTIONS[name])
        while pool.step(np.arange(9) % ACTIONS[name])[2].any():
            pass
        obs, *_ = pool.step(np.arange(9) % ACTIONS[name])
        assert len(np.unique(obs[:3], axis=0)) > 1


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_every_view_has_them(env_type: str) -> None:
    with make("Walk", env_type, num_envs=4, seed=1) as pool:
        pool.reset()
        states = pool.get_state()
        pool.clone(0, np.array([1, 3]))
        first = leaves(pool.step([2] * 4))
        for array in first:
            assert array.shape[0] == 4
        pool.set_state(range(4), states)
        pool.step([2] * 4)


def test_state_after_close_is_refused() -> None:
    pool = make(num_envs=2)
    pool.reset()
    states = pool.get_state()
    pool.close()
    for use in (pool.get_state, lambda: pool.set_state(None, states)):
        with refused(parallel_pool.ClosedPoolError, "closed"):
            use()
