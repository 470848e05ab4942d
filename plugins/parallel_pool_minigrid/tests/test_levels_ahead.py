"""Levels are made before their episodes begin, which nothing shows: neither new seeds nor restored states."""

from typing import Any

import numpy as np
import parallel_pool
import pytest

IDS = ("MiniGrid-MultiRoom-N6-v0", "MiniGrid-KeyCorridorS3R2-v0", "BabyAI-MiniBossLevel-v0")
NUM_ENVS = 6
LIMIT = 30
SOME_MADE = LIMIT - 2
"""After so many steps, levels of some environments are made and those of others are not."""


def pool_of(task_id: str, seed: int) -> Any:
    pool = parallel_pool.make(task_id, num_envs=NUM_ENVS, seed=seed, max_steps=LIMIT)
    pool.reset()
    return pool


def play(pool: Any, steps: int, draw: int) -> list[Any]:
    actions = np.random.default_rng(draw).integers(0, 7, (steps, NUM_ENVS))
    return [pool.step(each)[:4] for each in actions]


@pytest.mark.parametrize("task_id", IDS)
def test_new_seeds_and_restored_states(task_id: str) -> None:
    with pool_of(task_id, 1) as one, pool_of(task_id, 2) as other:
        play(one, SOME_MADE, 0)
        for pool in (one, other):
            pool.reset(seed=9)
        np.testing.assert_equal(play(one, 60, 1), play(other, 60, 1))
        play(one, SOME_MADE, 0)
        other.reset(seed=2)
        play(other, SOME_MADE + LIMIT + 1, 5)
        other.set_state(None, one.get_state())
        np.testing.assert_equal(play(one, 60, 1), play(other, 60, 1))


@pytest.mark.parametrize("task_id", IDS)
@pytest.mark.parametrize("how", ["unseeded", "listed", "seed_next"])
def test_levels_of_known_seeds_are_made_ahead_and_used(task_id: str, how: str) -> None:
    """As many as without seeds: all but the first of each environment, whose episodes are all cut."""
    listed = {"episode_seeds": range(50), "episode_order": "turns"} if how == "listed" else {}
    arguments = {"num_envs": NUM_ENVS, "seed": 1, "max_steps": LIMIT, "no_death": "lava", **listed}
    with parallel_pool.make(task_id, **arguments) as pool:
        pool.reset()
        for k in range(1, 4):
            if how == "seed_next":
                pool.seed_next(None, 100 * k)
            for _ in range(LIMIT + 1):  # turns end no episode
                pool.step(np.zeros(NUM_ENVS, int))
        assert pool.read_array("made_ahead").tolist() == [3] * NUM_ENVS
