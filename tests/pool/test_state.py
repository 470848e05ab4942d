"""States of every kind of environment go on exactly; a copied pool is another one of the same recipe.

Between pools and views, and what the pool knows of an episode: tests/model. Between processes: tests/isolation.
"""

import pickle
from copy import copy, deepcopy
from typing import Any

import numpy as np
import pytest
from parallel_pool import AlreadyPendingError, ResetNeededError, StateError
from test_envs.checks import leaves, refused
from test_envs.player_counts_model import PLAYERS, some_actions
from test_envs.pools import begun, make
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
    with begun(make(name, seed=1, **common), make(name, seed=99, num_threads=2, **common)) as (
        twin,
        pool,
    ):
        for moment in range(4):
            play(twin, name, 5 + moment, moment)
            play(pool, name, 3, moment)
            pool.set_state(None, twin.get_state())
            same_future(name, pool, twin, 35)
        equal(pool.reset([3, 1]), twin.reset([3, 1]))
        same_future(name, pool, twin, 35)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_players_go_on_as_their_twins(mode: str) -> None:
    """Counts and returns of players included."""
    arguments: dict[str, Any] = {"autoreset_mode": mode, "episode_statistics": True}
    with (
        make("Crowd", num_envs=1, seed=3, **arguments) as twin,
        make("Crowd", num_envs=3, seed=9, **arguments) as pool,
    ):
        twin.reset()
        draw = np.random.default_rng(1)
        for step in range(200):
            if step % 7 == 0:
                pool.reset()
                pool.set_state([1], twin.get_state())
            given = [some_actions(draw, PLAYERS)]
            wanted, got = twin.step(given), pool.step(given, [1])
            if mode == "Disabled" and (wanted[2] | wanted[3]).any():
                twin.reset()
                pool.reset([1])
            wanted[4]["env_id"][:] = 1
            equal(got, wanted)


def test_a_state_of_another_number_of_players() -> None:
    with make("Team", players=2) as two, make("Team", players=3) as three:
        two.reset()
        with refused(StateError, "'players'"):
            three.set_state(None, two.get_state())


def test_seconds_are_nan_where_nobody_counted() -> None:
    """As returns are: tests/model."""
    arguments: dict[str, Any] = {"num_envs": 1, "max_count": 2}
    with begun(make(**arguments, episode_statistics=True), make(**arguments)) as (counted, plain):
        counted.set_state(None, plain.get_state())
        counted.step([2])
        assert np.isnan(counted.step([2])[4]["episode"]["t"][0])


@pytest.mark.own_process
@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_row_24_a_pickled_or_copied_pool_is_another_one_of_the_same_recipe(env_type: str) -> None:
    # Without the seconds that an episode took.
    policies = {"nan_action": "truncate", "out_of_bounds_action": "clip", "step_timeout": 5.0}
    made = {"drift": 0.5, "episode_statistics": False, **policies}
    pool = make("Walk", env_type, num_envs=3, **made)
    first = leaves(pool.reset())
    second = leaves(pool.step([0, 1, 2]))
    for other in (pickle.loads(pickle.dumps(pool)), deepcopy(pool), copy(pool)):
        assert type(other) is type(pool)
        assert other is not pool
        assert {**other.config, "seed": None} == pool.config
        # It begins where this one began, with the seeds that this one drew.
        for got, wanted in zip(leaves(other.reset()), first, strict=True):
            np.testing.assert_array_equal(got, wanted)
        for got, wanted in zip(leaves(other.step([0, 1, 2])), second, strict=True):
            np.testing.assert_array_equal(got, wanted)
        other.close()
    pool.close()
    with pickle.loads(pickle.dumps(pool)) as another:
        another.reset()


@pytest.mark.own_process
def test_a_pickle_with_states_is_of_a_pool_at_rest() -> None:
    """That it goes on as the pool does: tests/model."""
    pool = make("Walk", num_envs=4)
    with refused(ResetNeededError, "environment 0 was never reset"):
        pool.pickled(include_state=True)
    pool.reset()
    with refused(TypeError):
        pool.pickled(True)
    pool.send([0, 0], [0, 1])
    with refused(AlreadyPendingError, "environment 0"):
        pool.pickled(include_state=True)
    with pickle.loads(pool.pickled()) as fresh, refused(ResetNeededError, "never reset"):
        fresh.step([0] * 4)
