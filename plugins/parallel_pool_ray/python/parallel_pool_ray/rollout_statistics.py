"""Counts what the actors of a RolloutPool have sent."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import numpy as np

from parallel_pool_ray.rollout_actor import Fragment


class RolloutStatistics:
    """Since the start, over all actors. steps: of one fragment."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._begun = time.monotonic()
        self._fragments = self._lag = self._episodes = 0
        self._seconds = 0.0
        self._returns: deque[float] = deque(maxlen=100)
        self.lost_calls = 0

    def add(self, fragment: Fragment, version: int) -> None:
        """Counts a fragment. version: of the weights at its arrival."""
        self._fragments += 1
        self._lag += version - fragment.policy_version
        self._episodes += len(fragment.episodes["return"])
        self._returns.extend(fragment.episodes["return"][-100:].tolist())
        self._seconds += fragment.seconds

    def as_dict(self) -> dict[str, Any]:
        """See `RolloutPool.stats`."""
        steps = self._fragments * self._steps
        return {
            "fragments": self._fragments,
            "steps": steps,
            "steps_per_second": steps / (time.monotonic() - self._begun),
            "episodes": self._episodes,
            "mean_return": float(np.mean(self._returns)) if self._returns else float("nan"),
            "mean_lag": self._lag / max(self._fragments, 1),
            "lost_calls": self.lost_calls,
            "seconds_rolled": self._seconds,
        }
