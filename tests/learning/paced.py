"""An environment in Python whose episodes have a length that the seed decides, and which counts its work."""

import os
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
from gymnasium import spaces
from test_envs.pools import register_python

DONE: Counter[str] = Counter()
"""Steps and resets in this process, and how often each seed was played."""


class Paced(gymnasium.Env[Any, Any]):
    """Ends after `short` steps, or `long` ones where the seed says so; observes random numbers."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}  # noqa: RUF012
    observation_space = spaces.Box(-1, 1, (3,), np.float64)
    action_space = spaces.Discrete(3)

    def __init__(
        self,
        short: int = 2,
        long: int = 9,
        blind: bool = False,
        dies: int = -1,
        render_mode: str | None = None,
    ) -> None:
        self.short, self.long, self.blind, self.dies = short, long, blind, dies
        self.render_mode = render_mode

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=0 if self.blind else seed)
        self.seed = seed
        DONE["resets"] += 1
        DONE[f"seed {seed}"] += 1
        self.left = int(self.np_random.choice([self.short, self.long]))
        return self.np_random.uniform(-1, 1, 3), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        assert self.left > 0, "stepped after its end"
        DONE["steps"] += 1
        if self.seed == self.dies:
            os._exit(3)
        self.left -= 1
        obs = self.np_random.uniform(-1, 1, 3)
        over = {"won": bool(action == 1), "tags": {"short": frozenset([self.short])}}
        info = over if self.left == 0 else {}
        return obs, float(obs[action]), self.left == 0, False, info

    def render(self) -> Any:
        return np.full((4, 6, 3), self.left, np.uint8)


def register() -> None:
    """Makes it known as own/Paced-v0."""
    register_python("own/Paced-v0", Paced, render_modes=("rgb_array",))


def paced(num_envs: int, **arguments: Any) -> Any:
    """A pool of it in threads, so that the work is counted here; the count begins anew."""
    register()
    DONE.clear()
    return parallel_pool.make(
        "own/Paced-v0", num_envs=num_envs, **{"isolation": "thread", **arguments}
    )


def widest(obs: np.ndarray) -> np.ndarray:
    """The action 0, 1 or 2 with the largest observation of each row."""
    return np.asarray(obs.argmax(1))


def played_alone(seed: int, **arguments: Any) -> tuple[float, int]:
    """Return and length of an episode of `widest` in Gymnasium's own loop."""
    env = Paced(**arguments)
    obs, _ = env.reset(seed=seed)
    total, length, over = 0.0, 0, False
    while not over:
        obs, reward, over, _, _ = env.step(int(obs.argmax()))
        total, length = total + reward, length + 1
    return total, length
