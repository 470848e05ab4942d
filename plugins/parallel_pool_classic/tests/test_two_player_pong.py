"""The rules of TwoPlayerPong, against the same game written in Python."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool.testing import Play, play_beside

ID = "classic/TwoPlayerPong-v0"


class PyPong(gymnasium.Env[Any, Any]):
    """The rules, step by step; all arithmetic in double, as in C++."""

    def __init__(self, points: int) -> None:
        self.to_win, self.hits = points, 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is not None:
            self.draw = np.random.default_rng(seed)
        self.paddle = [0.0, 0.0]
        self.points = [0, 0]
        self.serve()
        return self.observe(), self.info()

    def serve(self) -> None:
        self.x, self.y = 0.0, self.draw.uniform(-0.5, 0.5)
        self.speed_x = 0.04 if self.draw.integers(0, 2) == 1 else -0.04
        self.speed_y = self.draw.uniform(-0.03, 0.03)

    def info(self) -> dict[str, Any]:
        return {"players": {"points": np.array(self.points, np.int32)}}

    def step(self, actions: Any) -> Any:
        rewards = [0.0, 0.0]
        for k in (0, 1):
            move = (0.0, 0.06, -0.06)[actions[k]]
            self.paddle[k] = min(max(self.paddle[k] + move, -0.8), 0.8)
        self.x += self.speed_x
        self.y += self.speed_y
        if abs(self.y) > 1:
            self.y = (2 if self.y > 0 else -2) - self.y
            self.speed_y = -self.speed_y
        if abs(self.x) >= 1:
            keeper = 1 if self.x > 0 else 0
            off = (self.y - self.paddle[keeper]) / 0.2
            if abs(off) <= 1:
                self.hits += 1
                self.x = (2 if self.x > 0 else -2) - self.x
                self.speed_x = min(max(-self.speed_x * 1.05, -0.1), 0.1)
                self.speed_y = min(max(self.speed_y + 0.03 * off, -0.08), 0.08)
            else:
                self.points[1 - keeper] += 1
                rewards[1 - keeper], rewards[keeper] = 1.0, -1.0
                self.serve()
        return self.observe(), rewards, self.to_win in self.points, False, self.info()

    def observe(self) -> np.ndarray[Any, Any]:
        ball = np.array([self.x, self.y, self.speed_x, self.speed_y])
        mirrored = ball * [-1, 1, -1, 1]
        rows = [[*self.paddle, *ball], [*self.paddle[::-1], *mirrored]]
        return np.array(rows, np.float32)


def follow(obs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Moves each paddle towards the ball."""
    off = obs[..., 3] - obs[..., 0]
    return np.where(off > 0.03, 1, np.where(off < -0.03, 2, 0))


@pytest.mark.parametrize(("skill", "points"), [(0.0, 3), (0.3, 1), (1.0, 3)])
def test_the_rules(skill: float, points: int) -> None:
    def act(play: Play) -> Any:
        assert play.obs in play.pool.observation_space
        drawn = play.draw.integers(0, 3, (20, 2))
        return np.where(play.draw.random((20, 2)) < skill, follow(play.obs), drawn)

    with parallel_pool.make(ID, num_envs=20, num_threads=2, points=points) as pool:
        play = play_beside(pool, partial(PyPong, points), act, steps=600, infos=None)
    assert sum(game.hits for game in play.originals) > 20
    assert play.ended.sum() > 20 or skill == 1.0
