"""Generalised advantages as the paper has them: one environment and one step after the other."""

from typing import Any

import numpy as np
import numpy.typing as npt

GAMMA, LAMBDA = 0.97, 0.9


def plain(
    rewards: Any, values: Any, next_values: Any, terminated: Any, truncated: Any, valid: Any
) -> npt.NDArray[np.float64]:
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
