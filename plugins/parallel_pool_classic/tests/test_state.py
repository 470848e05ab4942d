"""Environments go on from a saved state as if nothing had happened, to the last bit."""

from typing import Any

import numpy as np
import parallel_pool
import pytest


def same_future(left: Any, right: Any, steps: int) -> int:
    """Steps both with the same actions; gives the episodes that ended."""
    draw = np.random.default_rng(0)
    ended = 0
    for _ in range(steps):
        actions = draw.integers(0, 2, len(left))
        got, wanted = left.step(actions), right.step(actions)
        for ours, theirs in zip(got[:4], wanted[:4], strict=True):
            np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(got[4]["elapsed_step"], wanted[4]["elapsed_step"])
        ended += int((got[2] | got[3]).sum())
    return ended


@pytest.mark.parametrize("num_envs", [1, 5, 300])
def test_a_restored_pool_goes_on_as_its_twin(num_envs: int) -> None:
    with (
        parallel_pool.make("CartPole-v1", num_envs=num_envs, seed=1) as twin,
        parallel_pool.make("CartPole-v1", num_envs=num_envs, seed=2, num_threads=2) as pool,
    ):
        twin.reset()
        pool.reset()
        for moment in range(4):
            for _ in range(3 + moment):
                twin.step(np.ones(num_envs, int))
            pool.set_state(None, twin.get_state())
            ended = same_future(pool, twin, 1000)
            assert ended > 10 * num_envs
        # Between pools of different size too.
        states = twin.get_state([num_envs - 1])
        for _ in range(200):
            pool.step(np.ones(num_envs, int))
        pool.set_state([0], states)
        for step in range(200):
            np.testing.assert_array_equal(
                pool.step([step % 2], [0])[0], twin.step([step % 2], [num_envs - 1])[0]
            )


def test_clones_stay_together_until_their_actions_differ() -> None:
    with parallel_pool.make("CartPole-v1", num_envs=8, seed=1) as pool:
        pool.reset()
        pool.clone(5, range(8))
        for step in range(300):
            obs, _, terminated, *_ = pool.step(np.full(8, step // 3 % 2))
            assert (obs == obs[0]).all()
            assert (terminated == terminated[0]).all()
        obs = pool.step(np.arange(8) % 2)[0]
        obs = pool.step(np.arange(8) % 2)[0]
        obs = pool.step(np.arange(8) % 2)[0]
        assert len(np.unique(obs, axis=0)) == 2
        assert (obs[::2] == obs[0]).all()


def test_options_are_told_apart() -> None:
    with (
        parallel_pool.make("CartPole-v1", sutton_barto_reward=True) as one,
        parallel_pool.make("CartPole-v1") as other,
    ):
        one.reset()
        with pytest.raises(parallel_pool.StateError, match="'sutton_barto_reward'"):
            other.set_state(None, one.get_state())


IDS = [
    "Pendulum-v0",
    "Pendulum-v1",
    "MountainCar-v0",
    "MountainCarContinuous-v0",
    "Acrobot-v1",
    "Catch-v0",
    "FrozenLake-v1",
    "Taxi-v4",
    "NChain-v0",
    "CliffWalking-v1",
    "CliffWalkingSlippery-v1",
    "Blackjack-v1",
    "BlackjackBox-v1",
]
OPTIONS = {"Taxi-v4": {"is_rainy": True, "fickle_passenger": True}}


@pytest.mark.parametrize("task_id", IDS)
@pytest.mark.parametrize("before", [0, 1, 33])
def test_every_environment_goes_on_as_its_twin(task_id: str, before: int) -> None:
    options = OPTIONS.get(task_id, {})
    with (
        parallel_pool.make(task_id, num_envs=300, seed=1, **options) as twin,
        parallel_pool.make(task_id, num_envs=300, seed=9, num_threads=2, **options) as pool,
    ):
        twin.reset()
        pool.reset()
        twin.action_space.seed(0)
        for _ in range(before):
            twin.step(twin.action_space.sample())
        for _ in range(3):
            pool.step(twin.action_space.sample())
        pool.set_state(None, twin.get_state())
        for _ in range(60):
            actions = twin.action_space.sample()
            same(pool.step(actions), twin.step(actions))


def same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, dict):
        assert got.keys() == wanted.keys()
        got, wanted = tuple(got.values()), tuple(wanted.values())
    if isinstance(wanted, tuple):
        for left, right in zip(got, wanted, strict=True):
            same(left, right)
    else:
        np.testing.assert_array_equal(got, wanted)


NUMERIC: list[tuple[str, dict[str, list[Any]]]] = [
    ("Pendulum-v1", {"g": [9.81, 1.62, 24.8]}),
    ("MountainCar-v0", {"goal_velocity": [0.0, 0.03, 0.06]}),
    ("MountainCarContinuous-v0", {"goal_velocity": [0.0, 0.03, 0.06]}),
    ("FrozenLake-v1", {"success_rate": [0.2, 0.9, 1.0], "is_slippery": [True, False, True]}),
    ("Taxi-v4", {"is_rainy": [True, False, True], "rainy_probability": [0.5, 0.8, 0.9]}),
    ("CliffWalking-v1", {"is_slippery": [True, False, True]}),
    ("Blackjack-v1", {"sab": [True, False, False], "natural": [False, True, False]}),
    ("NChain-v0", {"slip": [0.0, 0.3, 0.5], "large": [1.0, 2.0, 3.0]}),
]


@pytest.mark.parametrize(("task_id", "options"), NUMERIC, ids=str)
def test_environments_of_a_pool_may_differ(task_id: str, options: dict[str, list[Any]]) -> None:
    """Each plays as it would alone in a pool."""
    with parallel_pool.make(task_id, num_envs=3, seed=4, env_options=options) as mixed:
        alone = [
            parallel_pool.make(
                task_id, seed=4 + i, **{key: values[i] for key, values in options.items()}
            )
            for i in range(3)
        ]
        first = mixed.reset()
        for i, pool in enumerate(alone):
            same(row(first[0], i), row(pool.reset()[0], 0))
        mixed.action_space.seed(0)
        for _ in range(150):
            actions = mixed.action_space.sample()
            answer = mixed.step(actions)
            for i, pool in enumerate(alone):
                single = pool.step(actions[i : i + 1])
                for got, wanted in zip(answer[:4], single[:4], strict=True):
                    same(row(got, i), row(wanted, 0))
        for pool in alone:
            pool.close()


def row(batch: Any, index: int) -> Any:
    return tuple(each[index] for each in batch) if isinstance(batch, tuple) else batch[index]
