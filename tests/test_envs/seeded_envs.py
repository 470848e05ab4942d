"""Environments that tell their seeds: worker processes import this module, and not a test's with pytest."""

import os
import random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from test_envs.python_envs import Lives

NONE = -1
LEAVE = 2


class Told(gymnasium.Env[Any, Any]):
    """Observes the seeds of its first and of its last reset, and a random number."""

    observation_space = spaces.Dict(
        {
            "seeds": spaces.Box(NONE, 2**62, (2,), np.int64),
            "number": spaces.Box(0, 1, (), np.float64),
        }
    )
    action_space = spaces.Discrete(3)
    first: int | None = None

    def observed(self) -> dict[str, Any]:
        seeds = np.array([self.first, self.last], np.int64)
        return {"seeds": seeds, "number": np.array(self.np_random.random())}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.last = NONE if seed is None else seed
        self.first = self.last if self.first is None else self.first
        return self.observed(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if action == LEAVE:
            os._exit(3)
        return self.observed(), 0.0, action == 1, False, {}


class ToldLives(Lives):
    metadata: dict[str, Any] = {**Lives.metadata, "render_modes": []}  # noqa: RUF012

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        _, info = super().reset(seed=seed)
        if not info["continues"]:
            self.game = NONE if seed is None else seed
        return np.array(self.game, np.int32), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return np.array(self.game, np.int32), *super().step(action)[1:]


class Gambler(gymnasium.Env[Any, Any]):
    """Draws from the global generators, also when it is made."""

    observation_space = spaces.Box(-9, 9, (4,), np.float64)
    action_space = spaces.Discrete(2)

    def __init__(self) -> None:
        self.made = random.random(), np.random.random()

    def drawn(self) -> Any:
        return np.array([*self.made, random.random(), np.random.normal()])

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return self.drawn(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self.drawn(), 0.0, action == 1, False, {}


gymnasium.register("Told-v0", Told)
gymnasium.register("ToldLives-v0", ToldLives)
gymnasium.register("Gambler-v0", Gambler)
