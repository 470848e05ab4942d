"""Seeds: 64-bit, one per environment, `seed + i` for an int. Also row 30 in tests/faults."""

from typing import Any

import numpy as np
import pytest
from parallel_pool import AlreadyPendingError, OptionError
from test_envs.checks import assert_works, refused
from test_envs.pools import begun, make

MODES = ("NextStep", "SameStep", "Disabled")


def first(pool: Any, **arguments: Any) -> list[tuple[float, ...]]:
    obs, _ = pool.reset(**arguments)
    return [tuple(row) for row in obs.tolist()]


def start(seed: int) -> tuple[float, float]:
    return (np.random.default_rng(seed).uniform(-1, 1), 0.0)


def test_row_29_31_an_int_gives_each_environment_its_own() -> None:
    with make("Walk", num_envs=4, seed=7) as pool:
        assert first(pool) == [start(7), start(8), start(9), start(10)]
        pool.step([0, 1, 2, 1])
        assert first(pool, seed=100) == [start(100), start(101), start(102), start(103)]
    with make("Walk", num_envs=3, seed=[5, 5, 2**64 - 1]) as pool:
        assert first(pool) == [start(5), start(5), start(2**64 - 1)]
    for seed in (0, 2**31, 2**32, 2**40, 2**63, np.uint64(2**64 - 2), np.int32(5)):
        with make("Walk", num_envs=2, seed=seed) as pool:
            assert first(pool) == first(pool, seed=seed) == [start(int(seed)), start(int(seed) + 1)]


def test_a_seed_may_be_too_large_for_others_only() -> None:
    """Environment i has seed + i, whichever are reset: tests/model."""
    with begun(make("Walk", num_envs=4, seed=0)) as pool:
        assert tuple(pool.reset([1], seed=2**64 - 2)[0][0]) == start(2**64 - 1)
        with refused(OptionError, "seed 18446744073709551616 is not"):
            pool.reset([2], seed=2**64 - 2)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("isolation", [None, "process"])
def test_a_seed_given_ahead_begins_the_next_episode(mode: str, isolation: str | None) -> None:
    """Whatever resets the environment, in one reset. Also rules of tests/model, with states."""
    arguments: dict[str, Any] = {"num_envs": 2, "isolation": isolation, "max_episode_steps": 2}
    with make("Walk", autoreset_mode=mode, seed=1, **arguments) as pool:
        pool.seed_next([1], 20)  # in place of the pool's
        assert first(pool) == [start(1), start(21)]
        pool.seed_next(None, [5, None])
        pool.seed_next([0], [6])
        for _ in range(2 if mode != "NextStep" else 3):
            obs = pool.step(np.zeros(2, int))[0]
        obs = pool.reset()[0] if mode == "Disabled" else obs
        assert tuple(obs[0]) == start(6)
        assert tuple(obs[1]) not in (start(1), start(21), start(6))
        pool.seed_next([0, 1], np.array([8, 9], np.uint64))
        assert first(pool, seed=[7, None]) == [start(7), start(9)]
        assert start(8) not in first(pool)
        with refused(OptionError, "1 values for 2"):
            pool.seed_next([0, 1], [3])
        with refused(IndexError, "env_id 2"):
            pool.seed_next([0, 2], [3, 3])
        pool.send(np.zeros(2, int))
        with refused(AlreadyPendingError, "environment 1"):
            pool.seed_next([1], 3)


@pytest.mark.parametrize("env_id", [7, [-1], [0.0], [True], [[0]], "text"])
def test_ids_that_are_none_are_refused_with_a_seed_too(env_id: Any) -> None:
    with begun(make("Walk", num_envs=2)) as pool:
        with pytest.raises(Exception) as plain:
            pool.reset(env_id)
        with pytest.raises(plain.type) as seeded:
            pool.reset(env_id, seed=3)
        assert str(seeded.value) == str(plain.value)


@pytest.mark.parametrize(
    ("seed", "text"),
    [
        (-1, "seed -1 is not"),
        (2**64 - 1, "seed 18446744073709551616 is not"),
        (2**70, "is not"),
        (1.5, "1.5"),
        ("7", "'7'"),
        (True, "True"),
        ([1], "1 values for 2"),
        ([1, 2, 3], "3 values for 2"),
        ([1, -5], "-5"),
        ([1, "x"], "'x'"),
    ],
)
def test_other_seeds_are_refused(seed: Any, text: str) -> None:
    with refused(OptionError, text):
        make("Walk", num_envs=2, seed=seed)
    with make("Walk", num_envs=2, seed=1) as pool:
        with refused(OptionError, text):
            pool.reset(seed=seed)
        # Nothing was seeded on the way to the refusal.
        assert first(pool) == [start(1), start(2)]
        assert_works(pool)
