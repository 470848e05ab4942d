"""Generalised advantage estimation (Schulman et al., 2016, "High-Dimensional Continuous Control Using
Generalized Advantage Estimation")."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]
Flags = npt.NDArray[np.bool_]


def generalized_advantages(
    rewards: Floats,
    values: Floats,
    next_values: Floats,
    terminated: Flags,
    truncated: Flags,
    *,
    gamma: float,
    gae_lambda: float,
    valid: Flags | None = None,
) -> npt.NDArray[np.float32]:
    """The advantages of T steps of N environments: float32, shape (T, N). All arguments have that shape.

    values: the critic's values of the observation before each step. next_values: the critic's values of the
    observation after each step; after a truncation that is the last observation of the episode, not the first
    of the next one. next_values is not read where an episode has terminated.

    Rewards after the end of an episode do not count for the steps before it. A step that is not `valid`,
    because it only reset its environment, has the advantage 0 and is skipped. Sums are computed in float64.
    """
    advantages = np.zeros(rewards.shape, np.float32)
    runs_on = gamma * ~terminated  # the next value counts this much
    carried = gamma * gae_lambda * ~(terminated | truncated)
    if valid is not None:
        carried *= valid
    # The next value of a terminated episode may be anything, NaN too.
    delta = rewards + np.where(terminated, 0.0, runs_on * next_values) - values
    if valid is not None:
        delta *= valid
    later = np.zeros(rewards.shape[1:], np.float64)
    for step in reversed(range(len(rewards))):
        later *= carried[step]
        later += delta[step]
        advantages[step] = later
    return advantages
