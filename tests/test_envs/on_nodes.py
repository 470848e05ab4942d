"""Environments of actors: one that fails in a reset, and some that are not the same in every process."""

import os
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces


class BadSeed(gymnasium.Env[Any, Any]):
    """Cannot be reset with the seeds 3, 7, 11 ...."""

    observation_space = spaces.Box(0, 9, (2,), np.int64)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        if seed is not None and seed % 4 == 3:
            raise ValueError("no such seed")
        return np.array([0, 1]), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return np.array([1, int(action)]), 1.0, False, False, {}


class Elsewhere(BadSeed):
    """Takes other actions, or observes something else, in any process but `here`."""

    def __init__(self, here: int, what: str) -> None:
        more = 0 if os.getpid() == here else 1
        if what == "actions":
            self.action_space = spaces.Discrete(2 + more)
        else:
            self.observation_space = spaces.Box(0, 9, (2 + more,), np.int64)


for _env in (BadSeed, Elsewhere):
    gymnasium.register(
        f"{_env.__name__}-v0", entry_point=f"{__name__}:{_env.__name__}", disable_env_checker=True
    )


def id_of(env: type) -> str:
    return f"gym:{__name__}:{env.__name__}-v0"
