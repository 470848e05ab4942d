"""tests/test_envs/drift.cpp in Python, equal in every bit."""

from dataclasses import dataclass

import numpy as np


class Blown(Exception):
    """The environment failed; its text is what the C++ one says."""


@dataclass
class Drift:
    """Random numbers, an action that decides, two ways to end, an info, and an action that throws."""

    wind: float = 0.0
    position: float = 0.0
    travelled: float = 0.0

    def reset(self, rng: np.random.Generator) -> tuple[float, float]:
        self.position = float(rng.uniform(-1, 1))
        self.travelled = 0.0
        return (self.position, 0.0)

    def step(
        self, action: int, rng: np.random.Generator
    ) -> tuple[tuple[float, float], float, bool, bool]:
        if action == 3:
            raise Blown("blown away")
        noise = float(rng.random())
        self.position += (action - 1) * noise
        self.position += self.wind
        self.travelled += noise
        return (self.position, noise), self.position, noise < 0.1, noise < 0.05 or noise > 0.95
