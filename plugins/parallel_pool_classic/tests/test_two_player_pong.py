"""The rules of TwoPlayerPong, against the same game written in Python."""

from typing import Any

import numpy as np
import parallel_pool
import pytest

ID = "classic/TwoPlayerPong-v0"


class PyPong:
    """The rules, step by step; all arithmetic in double, as in C++."""

    def __init__(self, seed: int, points: int) -> None:
        self.draw = np.random.default_rng(seed)
        self.to_win = points

    def reset(self) -> np.ndarray[Any, Any]:
        self.paddle = [0.0, 0.0]
        self.points = [0, 0]
        self.serve()
        return self.observe()

    def serve(self) -> None:
        self.x, self.y = 0.0, self.draw.uniform(-0.5, 0.5)
        self.speed_x = 0.04 if self.draw.integers(0, 2) == 1 else -0.04
        self.speed_y = self.draw.uniform(-0.03, 0.03)

    def step(self, actions: Any) -> tuple[np.ndarray[Any, Any], list[float], bool]:
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
                self.x = (2 if self.x > 0 else -2) - self.x
                self.speed_x = min(max(-self.speed_x * 1.05, -0.1), 0.1)
                self.speed_y = min(max(self.speed_y + 0.03 * off, -0.08), 0.08)
            else:
                self.points[1 - keeper] += 1
                rewards[1 - keeper], rewards[keeper] = 1.0, -1.0
                self.serve()
        return self.observe(), rewards, self.to_win in self.points

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
    n = 20
    games = [PyPong(seed, points) for seed in range(n)]
    draw = np.random.default_rng(0)
    with parallel_pool.make(ID, num_envs=n, seed=0, num_threads=2, points=points) as pool:
        obs, _ = pool.reset()
        np.testing.assert_array_equal(obs, [game.reset() for game in games])
        over = np.zeros(n, bool)
        ends, hits = 0, 0
        for _ in range(600):
            follows = draw.random((n, 2)) < skill
            actions = np.where(follows, follow(obs), draw.integers(0, 3, (n, 2)))
            before = obs
            obs, reward, terminated, truncated, info = pool.step(actions)
            for env, game in enumerate(games):
                wanted = (game.reset(), [0.0, 0.0], False) if over[env] else game.step(actions[env])
                np.testing.assert_array_equal(obs[env], wanted[0])
                assert reward[env].tolist() == wanted[1]
                assert terminated[env] == wanted[2]
                assert info["players"]["points"][env].tolist() == game.points
            assert not truncated.any()
            assert obs in pool.observation_space
            hits += int((before[:, 0, 4] * obs[:, 0, 4] < 0)[~over & (reward[:, 0] == 0)].sum())
            over = terminated
            ends += int(over.sum())
        assert hits > 20
        assert ends > 20 or skill == 1.0
