"""Environments written in Python, for the tests of workers; those of worker processes import this module."""

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

FINE, THROW, DIE = range(3)

LEAVE = DIE


class Rich(gymnasium.Env[Any, Any]):
    """Every kind of space, every kind of info, and a way to fail."""

    observation_space = spaces.Dict(
        {
            "zebra": spaces.Box(-1, 1, (2, 3), np.float64),
            "inner": spaces.Dict(
                {"bits": spaces.MultiBinary(4), "die": spaces.Discrete(6, start=1)}
            ),
            "pair": spaces.Tuple((spaces.MultiDiscrete([3, 5]), spaces.Box(0, 255, (), np.uint8))),
        }
    )
    action_space = spaces.Tuple((spaces.Discrete(3), spaces.Box(-2, 2, (2,), np.float32)))

    def __init__(self, length: int = 4) -> None:
        self.length = length

    def observe(self) -> dict[str, Any]:
        rng = self.np_random
        return {
            "zebra": rng.uniform(-1, 1, (2, 3)),
            "inner": {"bits": rng.integers(0, 2, 4, np.int8), "die": rng.integers(1, 7)},
            "pair": (rng.integers(0, [3, 5]), np.uint8(rng.integers(256))),
        }

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.steps = 0
        return self.observe(), {"begun": True}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        deed, force = action
        assert isinstance(deed, np.integer)
        assert force.dtype == np.float32
        if deed == THROW:
            raise ValueError("no fuel")
        if deed == DIE:
            os.abort()
        self.steps += 1
        info: dict[str, Any] = {"steps": self.steps, "nested": {"force": force, "name": "rich"}}
        if self.np_random.random() < 0.5:
            info["seldom"] = 0.5
        over = bool(self.np_random.random() < 1 / self.length)
        return self.observe(), float(force.sum()), over, self.steps >= self.length, info


class Sized(gymnasium.Env[Any, Any]):
    """Observes what it was made with."""

    action_space = spaces.Discrete(2)

    def __init__(self, size: int = 1, value: float = 0.0) -> None:
        self.observation_space = spaces.Box(-9, 9, (size,), np.float64)
        self.value = value

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return np.full(self.observation_space.shape, self.value), {}


class Drawn(Rich):
    """Can be drawn, starts where it is told, and has methods and attributes."""

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 7}  # noqa: RUF012
    observation_space = spaces.Box(-9, 9, (2,), np.float64)  # type: ignore[assignment]
    action_space = spaces.Discrete(3)  # type: ignore[assignment]

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.friction = 0.5

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        gymnasium.Env.reset(self, seed=seed)
        if options is not None and options.get("at") == "nowhere":
            raise ValueError("nowhere is no place")
        if options is not None and os.path.exists(dies := options.get("dies", "")):  # once
            os.unlink(dies)
            os._exit(9)
        self.at = np.full(2, (options or {}).get("at", 1.0), np.float64)
        return self.at, {"options": options}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if action == LEAVE:
            sys.exit("enough")
        self.at = self.at + self.np_random.random(2) * self.friction
        return self.at, 0.0, False, False, {}

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return f"at {self.at[0]}"
        return np.full((2, 3, 3), int(self.at[0]), np.uint8)

    def shifted(self, by: float, *, times: int = 1) -> float:
        return float(self.at[0] + by * times)

    def lock(self) -> Any:
        return threading.Lock()


class Slow(Drawn):
    """Waits, says in which thread it is, and does not always come out."""

    def __init__(self, render_mode: str | None = None, seconds: float = 0.05) -> None:
        super().__init__(render_mode)
        self.seconds = seconds
        self.home = threading.current_thread()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        assert threading.current_thread() is self.home
        time.sleep(30 if action == LEAVE else self.seconds)
        return self.at.copy(), 0.0, False, False, {"home": self.home}

    def render(self) -> Any:
        assert threading.current_thread() is self.home
        time.sleep(self.seconds)
        return super().render()

    def close(self) -> None:
        assert threading.current_thread() is self.home


def same(mine: Any, theirs: Any) -> None:
    if isinstance(theirs, dict):
        for key in theirs:
            same(mine[key], theirs[key])
    elif isinstance(theirs, (tuple, list)):
        assert len(mine) == len(theirs)
        for a, b in zip(mine, theirs, strict=True):
            same(a, b)
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        same(list(mine), list(theirs))
    else:
        np.testing.assert_array_equal(mine, theirs)
        assert getattr(mine, "dtype", None) == getattr(theirs, "dtype", None)


def in_lockstep(mine: Any, theirs: Any, steps: int) -> None:
    """Both give the same; infos of ours may have more."""
    same(mine.reset(seed=7), theirs.reset(seed=7))
    theirs.action_space.seed(1)
    for step in range(steps):
        actions = theirs.action_space.sample()
        if isinstance(actions, tuple):
            actions = (np.zeros_like(actions[0]), actions[1])
        same(mine.step(actions), theirs.step(actions))
        if step == steps // 2:
            same(mine.reset(seed=[3, None, 5]), theirs.reset(seed=[3, None, 5]))


Make = Callable[..., Any]

gymnasium.register("Sized-v0", Sized)


class Lives(gymnasium.Env[Any, Any]):
    """Lives of counts.hpp, in Python: what its infos have beside the reward is the score."""

    metadata: dict[str, Any] = {"score": ["points", "continues"]}  # noqa: RUF012
    observation_space = spaces.Box(-np.inf, np.inf, (), np.int32)
    action_space = spaces.Box(-np.inf, np.inf, (), np.float64)

    def __init__(self, life: int = 3, lives: int = 2) -> None:
        self.life, self.lives = life, lives
        self.lost = False

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        continues = self.lost and seed is None
        if not continues:
            self.left = self.lives
        self.lost, self.count = False, 0
        return np.int32(0), {"points": 1, "continues": continues}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.count += 1
        dies = bool(action == 2 or self.count >= self.life)
        self.left -= dies
        self.lost = dies and self.left > 0
        info = {"points": 3.0 * action, "continues": self.lost}
        return np.int32(self.count), float(action > 0), dies, False, info
