"""Generalised advantages equal a plain loop over episodes."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from parallel_pool_learning import generalized_advantages

GAMMA, LAMBDA = 0.97, 0.9


def plain(
    rewards: Any, values: Any, next_values: Any, terminated: Any, truncated: Any, valid: Any
) -> npt.NDArray[np.float64]:
    """As the paper has them: one environment and one step after the other."""
    steps, envs = rewards.shape
    advantages = np.zeros((steps, envs))
    for env in range(envs):
        later = 0.0
        for step in reversed(range(steps)):
            if not valid[step, env]:
                later = 0.0
                continue
            following = 0.0 if terminated[step, env] else float(next_values[step, env])
            delta = float(rewards[step, env]) + GAMMA * following - float(values[step, env])
            if terminated[step, env] or truncated[step, env]:
                later = 0.0
            later = delta + GAMMA * LAMBDA * later
            advantages[step, env] = later
    return advantages


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
    rewards, never = np.ones((5, 1), np.float32), np.zeros((5, 1), bool)
    values, ends = 2 * rewards, never.copy()
    ends[-1] = True
    found = generalized_advantages(rewards, values, values, ends, never, gamma=1.0, gae_lambda=1.0)
    assert found[:, 0].tolist() == [3, 2, 1, 0, -1]
