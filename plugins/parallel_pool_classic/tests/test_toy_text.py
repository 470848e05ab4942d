"""Toy text is Gymnasium's, draw for draw: observations, rewards, flags, infos, over many seeds and episodes."""

import hashlib
import json
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from classic_twins import lockstep
from gymnasium.envs.toy_text.frozen_lake import generate_random_map
from parallel_pool import OptionError


def any_of(count: int) -> Any:
    return lambda draw, _, n: draw.integers(0, count, n)


def random4(draw: np.random.Generator, _: Any, n: int) -> Any:
    return draw.integers(0, 4, n)


def to_the_goal(draw: np.random.Generator, _: Any, n: int) -> Any:
    """Down and to the right, mostly."""
    return draw.choice(4, n, p=[0.1, 0.4, 0.4, 0.1])


def frozen_lake(task_id: str, steps: int, num_envs: int = 100, **options: Any) -> int:
    return lockstep(task_id, to_the_goal, num_envs=num_envs, steps=steps, keys=("prob",), **options)


def test_frozen_lake() -> None:
    assert frozen_lake("FrozenLake-v1", 100) > 300
    assert frozen_lake("FrozenLake8x8-v1", 150) > 100


@pytest.mark.parametrize(
    "options",
    [
        {"is_slippery": False},
        {"success_rate": 0.9},
        {"success_rate": 0.0},
        {"success_rate": 1.0},
        {"reward_schedule": (10, -1, -0.01)},
        {"map_name": "8x8"},
        {"desc": None, "map_name": "4x4", "is_slippery": False},
        {"desc": ["SFF", "FHG"]},
        {"desc": ["FSF", "SXS", "HHG"], "map_name": None},
        {"desc": ["FSF", "SXS", "HHG"], "is_slippery": False},
        {"desc": generate_random_map(size=12, seed=3)},
    ],
    ids=str,
)
def test_frozen_lake_with_options(options: dict[str, Any]) -> None:
    assert frozen_lake("FrozenLake-v1", 60, num_envs=20, **options) > 10


@pytest.mark.parametrize("seed", [0, 1, 7, 123456])
def test_random_lakes_are_those_of_generate_random_map(seed: int) -> None:
    expected = generate_random_map(size=8, p=0.8, seed=seed)
    options = {"desc": None, "map_name": None, "map_seed": seed}
    with parallel_pool.make("FrozenLake-v1", num_envs=2, **options) as envs:
        envs.reset()
        drawn = envs.read_array("map")[0]
    assert ["".join(map(chr, row)) for row in drawn] == expected


def test_envpools_size_is_a_map() -> None:
    assert parallel_pool.make_spec("FrozenLake-v1", size=8).observation_space.n == 64


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"desc": ["SF", "F"]}, "row 1 has 1 tiles, not 2"),
        ({"desc": ["FF", "FG"]}, "no tile 'S'"),
        ({"reward_schedule": [1, 0]}, "'reward_schedule' has 2 numbers"),
        ({"size": 5}, "size is 5"),
        ({"success_rate": 1.5}, "0 .. 1"),
        ({"map_name": "5x5"}, "'4x4', '8x8'"),
    ],
)
def test_bad_lakes_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parallel_pool.make("FrozenLake-v1", **options)


def taxi_driver(draw: np.random.Generator, obs: Any, n: int) -> Any:
    """Serves where it can and wanders else, so that passengers get in and out."""
    state = np.asarray(obs)
    row, column, passenger, destination = state // 100, state // 20 % 5, state // 4 % 5, state % 4
    stands = np.array([[0, 0], [0, 4], [4, 0], [4, 3]])
    here = (stands[:, None] == np.stack([row, column], 1)).all(2)  # stand, env
    each = np.arange(n)
    pick = (passenger < 4) & here[np.minimum(passenger, 3), each]
    drop = (passenger == 4) & (here[destination, each] | (here.any(0) & (draw.random(n) < 0.2)))
    goal = stands[np.where(passenger < 4, passenger, destination)]
    vertical = np.where(row < goal[:, 0], 0, 1)
    sideways = np.where(column < goal[:, 1], 2, 3)
    across = (row == goal[:, 0]) | ((row == 2) & (column != goal[:, 1]))
    to_middle = np.where(row < 2, 0, 1)
    away = (column != goal[:, 1]) & (row != 2)
    move = np.where(across, sideways, np.where(away, to_middle, vertical))
    move = np.where(draw.random(n) < 0.1, draw.integers(0, 6, n), move)
    return np.where(pick, 4, np.where(drop, 5, move))


TAXI_KEYS = ("prob", "action_mask")
RAINY_AND_FICKLE = {"is_rainy": True, "fickle_passenger": True}


@pytest.mark.parametrize(
    ("options", "num_envs"),
    [
        ({}, 100),
        ({"is_rainy": True}, 10),
        ({"fickle_passenger": True}, 10),
        (RAINY_AND_FICKLE, 100),
        ({**RAINY_AND_FICKLE, "fickle_probability": 0.9}, 10),
        ({**RAINY_AND_FICKLE, "rainy_probability": 0.37}, 10),
    ],
    ids=str,
)
def test_taxi(options: dict[str, Any], num_envs: int) -> None:
    steps = 120 if num_envs == 100 else 201
    ended = lockstep(
        "Taxi-v4", taxi_driver, num_envs=num_envs, steps=steps, keys=TAXI_KEYS, **options
    )
    assert ended >= num_envs
    lockstep("Taxi-v4", any_of(6), num_envs=5, steps=201, keys=TAXI_KEYS, **options)


def test_taxi_v3_without_rain_is_taxi_v4() -> None:
    """All but the rain was the same in Gymnasium 1.2.3."""
    lockstep(
        "Taxi-v3",
        taxi_driver,
        num_envs=10,
        steps=100,
        original="Taxi-v4",
        keys=TAXI_KEYS,
        fickle_passenger=True,
    )


@pytest.mark.parametrize(
    ("options", "digest"),
    [({"is_rainy": True}, "0722a7ac26f269d4"), (RAINY_AND_FICKLE, "357fd667bb1e6480")],
    ids=str,
)
def test_the_old_rain(options: dict[str, Any], digest: str) -> None:
    """The digests are of Gymnasium 1.2.3's TaxiEnv, driven in the same way."""
    actions = np.random.default_rng(5).integers(0, 6, (40, 150))
    rows: list[Any] = []
    with parallel_pool.make("Taxi-v3", autoreset_mode="Disabled", **options) as envs:

        def keep(obs: Any, reward: float, terminated: bool, info: dict[str, Any]) -> None:
            mask = [int(each) for each in info["action_mask"][0]]
            rows.append((int(obs[0]), reward, int(terminated), float(info["prob"][0]), mask))

        for seed in range(40):
            obs, info = envs.reset(seed=seed)
            keep(obs, 0.0, False, info)
            for action in actions[seed]:
                obs, reward, terminated, _, info = envs.step([action])
                keep(obs, float(reward[0]), terminated[0], info)
                if terminated[0]:
                    envs.reset()
    assert hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16] == digest


def along_the_cliff(draw: np.random.Generator, obs: Any, n: int) -> Any:
    """Up to the first row, to the right, and down, mostly."""
    row, column = obs // 12, obs % 12
    action = np.where(column == 11, 2, np.where(row > 0, 0, 1))
    return np.where(draw.random(n) < 0.05, draw.integers(0, 4, n), action)


@pytest.mark.parametrize("task_id", ["CliffWalking-v1", "CliffWalkingSlippery-v1"])
def test_cliff_walking(task_id: str) -> None:
    assert lockstep(task_id, along_the_cliff, num_envs=100, steps=60, keys=("prob",)) > 20


def test_old_ids_of_cliff_walking() -> None:
    for task_id in ("CliffWalking-v0", "tabular/CliffWalking-v0"):
        lockstep(
            task_id, random4, num_envs=5, steps=100, original="CliffWalking-v1", keys=("prob",)
        )


@pytest.mark.parametrize(
    "options",
    [{}, {"sab": False}, {"sab": False, "natural": True}, {"sab": True, "natural": True}],
    ids=str,
)
def test_blackjack(options: dict[str, bool]) -> None:
    policy = lambda draw, obs, n: (draw.random(n) < np.where(obs[0] < 15, 0.9, 0.1)).astype(int)  # noqa: E731
    assert lockstep("Blackjack-v1", policy, num_envs=100, steps=60, **options) > 1000


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
            for got, wanted in zip(left[1:4], right[1:4], strict=True):
                np.testing.assert_array_equal(got, wanted)


def test_blackjacks_ace_is_usable_only_while_it_does_not_bust() -> None:
    """EnvPool 1.2.5 says so of every hand with an ace."""
    with parallel_pool.make("Blackjack-v1", num_envs=2000, seed=0) as envs:
        envs.reset()
        (total, _, usable), _, terminated, _, _ = envs.step(np.ones(2000, int))
        assert (total[usable == 1] <= 21).all()
        assert ((total > 21) == terminated).all()
        alive = ~terminated
        assert 0.02 < usable[alive].mean() < 0.25


IDS = [
    "FrozenLake-v1",
    "FrozenLake8x8-v1",
    "Taxi-v4",
    "CliffWalking-v1",
    "CliffWalkingSlippery-v1",
    "Blackjack-v1",
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


class NChain:
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
def test_n_chain(options: dict[str, Any]) -> None:
    policy = lambda draw, _, n: (draw.random(n) < 0.2).astype(int)  # noqa: E731
    assert lockstep("NChain-v0", policy, num_envs=10, steps=1100, original=NChain, **options) == 10


class Catch:
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
def test_catch(options: dict[str, Any]) -> None:
    assert lockstep("Catch-v0", any_of(3), num_envs=30, steps=100, original=Catch, **options) > 200


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
