"""Toy text is Gymnasium's, draw for draw, over many seeds and episodes; and spaces and limits of classic."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool.testing import Play
from test_envs.originals import Beside


def along_the_cliff(play: Play) -> Any:
    """Up to the first row, to the right, and down, mostly."""
    row, column = play.obs // 12, play.obs % 12
    action = np.where(column == 11, 2, np.where(row > 0, 0, 1))
    return np.where(play.draw.random(len(row)) < 0.05, play.sample(), action)


@pytest.mark.parametrize("task_id", ["CliffWalking-v1", "CliffWalkingSlippery-v1"])
def test_cliff_walking(task_id: str, beside: Beside) -> None:
    how = {"num_envs": 100, "steps": 60, "infos": ("prob",)}
    assert beside(task_id, task_id, along_the_cliff, **how).ended.sum() > 20


@pytest.mark.parametrize("task_id", ["CliffWalking-v0", "tabular/CliffWalking-v0"])
def test_old_ids_of_cliff_walking(task_id: str, beside: Beside) -> None:
    beside(task_id, "CliffWalking-v1", num_envs=5, steps=100, infos=("prob",))


def hit_below_15(play: Play) -> Any:
    """Mostly."""
    total = play.obs[0]
    return (play.draw.random(len(total)) < np.where(total < 15, 0.9, 0.1)).astype(int)


@pytest.mark.parametrize(
    "options",
    [{}, {"sab": False}, {"sab": False, "natural": True}, {"sab": True, "natural": True}],
    ids=str,
)
def test_blackjack(options: dict[str, bool], beside: Beside) -> None:
    how = {"num_envs": 100, "steps": 60, **options}
    assert beside("Blackjack-v1", "Blackjack-v1", hit_below_15, **how).ended.sum() > 1000


def test_blackjack_as_envpool_lays_it_out() -> None:
    with (
        parallel_pool.make("Blackjack-v1", "gym", num_envs=50, seed=1) as flat,
        parallel_pool.make("tabular/Blackjack-v0", "gymnasium", num_envs=50, seed=1) as tuples,
    ):
        assert flat.observation_space == gymnasium.spaces.Box(0, 31, (3,), np.int32)
        rows, (columns, _) = flat.reset(), tuples.reset()
        np.testing.assert_array_equal(rows, np.stack(columns, 1))
        draw = np.random.default_rng(0)
        for _ in range(50):
            actions = draw.integers(0, 2, 50)
            left, right = flat.step(actions), tuples.step(actions)
            np.testing.assert_array_equal(left[0], np.stack(right[0], 1))
            np.testing.assert_equal(left[1:4], right[1:4])


IDS = [
    *("CartPole-v1", "Pendulum-v1", "MountainCar-v0", "MountainCarContinuous-v0", "Acrobot-v1"),
    *("FrozenLake-v1", "FrozenLake8x8-v1", "Taxi-v4", "Blackjack-v1"),
    *("CliffWalking-v1", "CliffWalkingSlippery-v1"),
]


@pytest.mark.parametrize("task_id", IDS)
def test_spaces_and_limits_are_gymnasiums(task_id: str) -> None:
    theirs, original = gymnasium.spec(task_id), gymnasium.make_vec(task_id, 3)
    with parallel_pool.make(task_id, num_envs=3) as ours:
        assert ours.single_observation_space == original.single_observation_space
        assert ours.single_action_space == original.single_action_space
        assert ours.observation_space == original.observation_space
        assert ours.action_space == original.action_space
        assert ours.spec.reward_threshold == theirs.reward_threshold
        assert ours.spec.max_episode_steps == theirs.max_episode_steps
    original.close()


class NChain(gymnasium.Env[Any, Any]):
    """Gym 0.19's environment of this name in Python, on numpy's generator."""

    def __init__(self, n: int = 5, slip: float = 0.2, small: float = 2, large: float = 10) -> None:
        self.n, self.slip, self.small, self.large = n, slip, small, large
        self.steps = 0

    def reset(self, seed: int | None = None) -> tuple[int, dict[str, Any]]:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.state = self.steps = 0
        return self.state, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        backwards = bool(action) != (self.random.random() < self.slip)
        if backwards:
            reward, self.state = self.small, 0
        elif self.state < self.n - 1:
            reward, self.state = 0, self.state + 1
        else:
            reward = self.large
        self.steps += 1
        return self.state, reward, False, self.steps == 1000, {}


@pytest.mark.parametrize("options", [{}, {"n": 3, "slip": 0.4, "small": 0.5, "large": -1}], ids=str)
def test_n_chain(options: dict[str, Any], beside: Beside) -> None:
    def policy(play: Play) -> Any:
        return (play.draw.random(10) < 0.2).astype(int)

    played = beside("NChain-v0", NChain, policy, num_envs=10, steps=1100, **options)
    assert played.ended.sum() == 10


class Catch(gymnasium.Env[Any, Any]):
    """bsuite's rules in Python, on numpy's generator."""

    def __init__(self, height: int = 10, width: int = 5) -> None:
        self.shape = (height, width)

    def reset(self, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.ball = [0, int(self.random.integers(self.shape[1]))]
        self.paddle = self.shape[1] // 2
        return self.board(), {}

    def board(self) -> Any:
        board = np.zeros(self.shape, np.float32)
        board[tuple(self.ball)] = 1
        board[-1, self.paddle] = 1
        return board

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.paddle = int(np.clip(self.paddle + action - 1, 0, self.shape[1] - 1))
        self.ball[0] += 1
        down = self.ball[0] == self.shape[0] - 1
        reward = (1.0 if self.ball[1] == self.paddle else -1.0) if down else 0.0
        return self.board(), reward, down, False, {}


@pytest.mark.parametrize("options", [{}, {"height": 4, "width": 9}], ids=str)
def test_catch(options: dict[str, Any], beside: Beside) -> None:
    assert beside("Catch-v0", Catch, num_envs=30, steps=100, **options).ended.sum() > 200


ENVPOOLS = {
    "CartPole-v0": 200,
    "phys2d/CartPole-v0": 200,
    "CartPole-v1": 500,
    "phys2d/CartPole-v1": 500,
    "Pendulum-v0": 200,
    "phys2d/Pendulum-v0": 200,
    "Pendulum-v1": 200,
    "MountainCar-v0": 200,
    "MountainCarContinuous-v0": 999,
    "Acrobot-v1": 500,
    "Catch-v0": None,
    "FrozenLake-v1": 100,
    "FrozenLake8x8-v1": 200,
    "Taxi-v3": 200,
    "NChain-v0": 1000,
    "CliffWalking-v1": None,
    "tabular/CliffWalking-v0": None,
    "CliffWalkingSlippery-v1": None,
    "CliffWalking-v0": None,
    "Blackjack-v1": None,
    "tabular/Blackjack-v0": None,
}
"""EnvPool 1.2.5's ids, and after how many steps it truncates."""


@pytest.mark.parametrize(("task_id", "limit"), ENVPOOLS.items())
def test_envpools_ids(task_id: str, limit: int | None) -> None:
    with parallel_pool.make(task_id, "gym", num_envs=2, seed=0) as envs:
        assert envs.config["max_episode_steps"] == limit
        obs = envs.reset()
        assert obs.shape == (2, *envs.observation_space.shape)
        envs.step(np.stack([envs.action_space.sample()] * 2))
