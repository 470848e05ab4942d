"""A restored environment goes on as if nothing had happened, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import parallel_pool
import pytest
from dmc_twin import NAMES


def equal(left: Any, right: Any) -> None:
    for got, wanted in zip(left[1:4], right[1:4], strict=True):
        np.testing.assert_array_equal(got, wanted)
    for key, wanted in right[0].items():
        np.testing.assert_array_equal(left[0][key], wanted, err_msg=key)


@pytest.mark.parametrize("name", NAMES)
def test_a_restored_pool_goes_on_as_its_twin(name: str) -> None:
    options: dict[str, Any] = {"num_envs": 2, "frame_stack": 2, "max_episode_steps": 25}
    with (
        parallel_pool.make(f"dmc/{name}", seed=1, **options) as twin,
        parallel_pool.make(f"dmc/{name}", seed=50, **options) as pool,
    ):
        twin.reset()
        pool.reset()
        draw = np.random.default_rng(0)
        space = twin.action_space
        low, high = np.maximum(space.low, -3), np.minimum(space.high, 3)
        for step in range(60):
            if step % 13 == 0 or step in (24, 25, 26):  # around the end of an episode as well
                state = twin.get_state()
                for _ in range(draw.integers(1, 4)):
                    pool.step(draw.uniform(low, high))
                pool.set_state(None, state)
                assert pool.get_state() == state
            action = draw.uniform(low, high)
            equal(pool.step(action), twin.step(action))


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
