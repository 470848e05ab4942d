"""An environment whose observations and actions are no arrays; those of worker processes import this module."""

import os
import threading
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

ODD = "odd/Odd-v0"
"""Registered in tests/views/python_envs/conftest.py: worker processes, which import this, need no registry."""
BOX = spaces.Box(-1, 1, (2,), np.float32)


class Word(spaces.Space[Any]):
    """A space of the user's own, as MiniGrid's missions have."""

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        return "".join(self.np_random.choice(list("xyz"), self.np_random.integers(1, 5)))

    def contains(self, x: Any) -> bool:
        return isinstance(x, str)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word)


KINDS: dict[str, spaces.Space[Any]] = {
    "text": spaces.Text(12, charset="ab é"),
    "sequence": spaces.Sequence(spaces.Discrete(5)),
    "stacked": spaces.Sequence(BOX, stack=True),
    "graph": spaces.Graph(BOX, spaces.Discrete(3)),
    "one": spaces.OneOf((spaces.Discrete(3), BOX)),
    "own": Word(),
}
KINDS["nested"] = spaces.Dict(
    {
        "box": BOX,
        "text": KINDS["text"],
        "pair": spaces.Tuple((KINDS["graph"], spaces.Discrete(4), KINDS["one"])),
        "inner": spaces.Dict({"own": Word(), "numbers": KINDS["sequence"]}),
    }
)


class Odd(gymnasium.Env[Any, Any]):
    """Observes what its space draws, and says what it was told to do."""

    def __init__(self, kind: str = "nested", acts: str = "text", length: int = 3) -> None:
        self.observation_space, self.action_space = deepcopy(KINDS[kind]), deepcopy(KINDS[acts])
        self.length = length

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.steps = 0
        if seed is not None:
            self.observation_space.seed(seed)
        return self.observation_space.sample(), {"begun": True}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if isinstance(action, str) and action == "fail":
            raise ValueError("it failed")
        if isinstance(action, str) and action == "die":
            os._exit(3)
        self.steps += 1
        obs = self.observation_space.sample()
        if isinstance(action, str) and action == "lock":
            obs = threading.Lock()  # which cannot be sent to another process
        return obs, float(self.steps), self.steps >= self.length, False, {"did": repr(action)}


def texts(pool: Any, word: str = "go") -> Any:
    return (word,) * pool.num_envs
