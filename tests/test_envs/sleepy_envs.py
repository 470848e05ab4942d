"""A Python environment that can take its time with whatever it is asked."""

import os
import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

QUICK, SLOW = range(2)


class Sleepy(gymnasium.Env[Any, Any]):
    """Counts. What takes `nap` seconds: slow steps, being made in a worker, and what its name says."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}  # noqa: RUF012
    observation_space = spaces.Box(0, 1e9, (1,), np.float64)
    action_space = spaces.Discrete(2)

    def __init__(
        self, nap: float = 1.0, makes_in: int = 0, naps: str = "", render_mode: str | None = None
    ) -> None:
        """makes_in: the process where being made takes no time. naps: what else takes time."""
        self.render_mode = render_mode
        self.nap = nap
        self.naps = naps
        self.count = 0
        self._rest("make", makes_in != os.getpid())

    def _rest(self, what: str, really: bool = True) -> None:
        if really and what in self.naps.split():
            time.sleep(self.nap)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.count = 0
        self._rest("reset")
        return np.zeros(1), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if action == SLOW:
            time.sleep(self.nap)
        self.count += 1
        return np.full(1, float(self.count)), 1.0, False, False, {}

    def render(self) -> Any:
        self._rest("render")
        return np.zeros((2, 2, 3), np.uint8)

    def rest(self) -> int:
        time.sleep(self.nap)
        return self.count

    def __getstate__(self) -> dict[str, Any]:
        self._rest("save")
        return dict(self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._rest("load")


gymnasium.register("Sleepy-v0", Sleepy, disable_env_checker=True, order_enforce=False)
