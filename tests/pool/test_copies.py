"""A pickled or copied pool is another one of the same recipe. Each test in a process of its own."""

import pickle
from copy import copy, deepcopy

import numpy as np
import pytest
from parallel_pool import AlreadyPendingError, ResetNeededError
from test_envs.checks import leaves, refused
from test_envs.pools import make

pytestmark = pytest.mark.own_process


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
