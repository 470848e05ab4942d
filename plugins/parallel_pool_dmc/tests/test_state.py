"""A restored environment goes on as if nothing had happened, to the last bit."""

from typing import Any

import numpy as np
import parallel_pool
import pytest


def equal(left: Any, right: Any) -> None:
    for got, wanted in zip(left[1:4], right[1:4], strict=True):
        np.testing.assert_array_equal(got, wanted)
    for key, wanted in right[0].items():
        np.testing.assert_array_equal(left[0][key], wanted, err_msg=key)


@pytest.mark.parametrize("name", ["reacher-easy", "point_mass-hard", "finger-spin", "lqr-lqr_6_2"])
def test_a_new_seed_begins_with_the_model_as_it_was_compiled(name: str) -> None:
    with (
        parallel_pool.make(f"dmc/{name}", num_envs=1, seed=1) as used,
        parallel_pool.make(f"dmc/{name}", num_envs=1, seed=2) as new,
    ):
        used.reset()
        for _ in range(5):
            used.step(np.ones(used.action_space.shape))
        for got, wanted in zip(used.reset(seed=2), new.reset(), strict=True):
            for key, value in wanted.items():
                np.testing.assert_array_equal(got[key], value, err_msg=key)
        action = np.full(new.action_space.shape, 0.3)
        for _ in range(20):
            equal(used.step(action), new.step(action))
