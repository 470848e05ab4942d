"""Generalised advantages equal a plain loop over episodes."""

import numpy as np
import pytest
from learning.plain_advantages import GAMMA, LAMBDA, plain
from parallel_pool_learning import generalized_advantages


@pytest.mark.parametrize("seed", range(5))
def test_equal_to_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (40, 7)
    rewards, values, next_values = (rng.normal(size=shape).astype(np.float32) for _ in range(3))
    terminated, truncated = rng.random(shape) < 0.1, rng.random(shape) < 0.1
    valid = rng.random(shape) < 0.9
    next_values[terminated] = np.nan  # is never read
    arguments = (rewards, values, next_values, terminated, truncated)
    found = generalized_advantages(*arguments, gamma=GAMMA, gae_lambda=LAMBDA, valid=valid)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, plain(*arguments, valid), rtol=1e-6, atol=1e-6)


def test_with_a_lambda_of_one_they_are_returns_less_values() -> None:
    rewards = np.ones((5, 1), np.float32)
    values = np.full((5, 1), 2.0, np.float32)
    never = np.zeros((5, 1), bool)
    ends = never.copy()
    ends[-1] = True
    found = generalized_advantages(rewards, values, values, ends, never, gamma=1.0, gae_lambda=1.0)
    assert found[:, 0].tolist() == [3, 2, 1, 0, -1]
