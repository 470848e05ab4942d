"""Generalised advantage estimation over a rollout of a pool with NEXT_STEP autoreset."""

from __future__ import annotations

import numpy as np


def advantages(
    reward: np.ndarray,
    value: np.ndarray,
    terminated: np.ndarray,
    ended: np.ndarray,
    gamma: float,
    gae_lambda: float,
) -> np.ndarray:
    """Advantages of T steps of N environments, float32 of shape (T, N).

    Why NEXT_STEP is the mode of choice here: the step that ends an episode returns its true last
    observation, which is the next row of the rollout, so `value` has its value at no extra cost. An
    episode that was cut off (truncated) bootstraps from it, one that came to its own end (terminated)
    does not, and no advantage flows across either. The row after an end is the reset: its action was
    ignored, so whoever learns leaves it out (`~ended` of the row before).

    Args:
        reward: (T, N).
        value: (T + 1, N), of the observation before each step and of the one after the last.
        terminated: bool (T, N), the episode came to its own end on this step.
        ended: bool (T, N), it ended on this step, by itself or by the time limit.
    """
    result = np.zeros(reward.shape, np.float32)
    following = np.zeros(reward.shape[1], np.float32)
    for t in reversed(range(len(reward))):
        error = reward[t] + gamma * np.where(terminated[t], 0, value[t + 1]) - value[t]
        following = error + gamma * gae_lambda * np.where(ended[t], 0, following)
        result[t] = following
    return result
