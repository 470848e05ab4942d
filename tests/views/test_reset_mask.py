"""Masks that reset some environments: as Gymnasium's, and refused as it does."""

from typing import Any

import numpy as np
import pytest
from parallel_pool import ResetNeededError
from test_envs.checks import refused
from test_envs.pools import make
from twins import assert_same, both, every_mode, play, reset_masked


@every_mode
def test_masks_may_reset_anything_at_any_time(mode: str) -> None:
    mine, theirs = both("Count", 4, mode, max_count=6)
    assert_same(mine.reset(), theirs.reset())
    masks = np.random.default_rng(2)
    for turn in range(40):
        play(mine, theirs, 2, seed=turn)
        mask = masks.random(4) < 0.4
        if mask.any():
            assert_same(*reset_masked(mine, theirs, mask))


BAD_MASKS: list[Any] = [
    [True, False, False],
    None,
    np.array([True, False]),
    np.array([[True, False, False]]),
    np.array([1, 0, 0]),
    np.zeros(3, bool),
]


@every_mode
@pytest.mark.parametrize("mask", BAD_MASKS, ids=["list", "None", "short", "2d", "int", "empty"])
def test_bad_masks_are_refused_as_gymnasium_does(mode: str, mask: Any) -> None:
    mine, theirs = both("Count", 3, mode)
    mine.reset()
    theirs.reset()
    with pytest.raises((TypeError, ValueError)) as expected:
        theirs.reset(options={"reset_mask": mask})
    with refused(expected.type, "options['reset_mask']"):
        mine.reset(options={"reset_mask": mask})
    with make("Count", "gym", num_envs=3) as pool, refused(expected.type, "reset_mask"):
        pool.reset(options={"reset_mask": mask})


def test_options_stay_as_they_were() -> None:
    with make(num_envs=3, autoreset_mode="Disabled") as pool:
        pool.reset()
        mask = np.array([True, False, True])
        options = {"reset_mask": mask}
        pool.reset(options=options)
        assert list(options) == ["reset_mask"]
        assert options["reset_mask"] is mask
        assert mask.tolist() == [True, False, True]


def test_a_masked_reset_gives_everybodys_observation() -> None:
    with make(num_envs=4, autoreset_mode="Disabled") as pool:
        pool.reset()
        before, *_ = pool.step(np.ones(4, int))
        obs, info = pool.reset(options={"reset_mask": np.array([False, True, False, True])})
        assert obs.tolist() == [1, 0, 1, 0]
        assert info["_total"].tolist() == info["_env_id"].tolist() == [False, True, False, True]
        assert before.tolist() == [1, 1, 1, 1], "an answer is never written again"
        obs, _ = pool.reset(options={"reset_mask": np.array([True, False, False, False])})
        assert obs.tolist() == [0, 0, 1, 0]
        obs, *_ = pool.step(np.ones(4, int))
        assert obs.tolist() == [1, 1, 2, 1]


def test_a_masked_reset_keeps_rows_in_order() -> None:
    """An answer in another order than the environments' does not count as the last observation."""
    with make(num_envs=3, max_count=100) as pool:
        pool.reset()
        pool.step(np.ones(1, int), [0])
        pool.step(np.ones(3, int), [2, 1, 0])
        mask = np.array([True, False, False])
        with refused(ResetNeededError, "reset or step all"):
            pool.reset(options={"reset_mask": mask})
        pool.step(np.ones(3, int))
        pool.reset([2, 1, 0])
        with refused(ResetNeededError, "reset or step all"):
            pool.reset(options={"reset_mask": mask})
        pool.step(np.ones(3, int))
        pool.send(np.ones(3, int), [2, 0, 1])
        pool.recv()
        with refused(ResetNeededError, "reset or step all"):
            pool.reset(options={"reset_mask": mask})


def test_seeds_with_a_mask() -> None:
    mine, theirs = both("Walk", 3, "Disabled")
    for seed in (5, [1, 2, 3], [4, None, 6], [None, 8, None]):
        assert_same(mine.reset(seed=0), theirs.reset(seed=0))
        mask = np.array([True, False, True])
        assert_same(*reset_masked(mine, theirs, mask, seed))
        play(mine, theirs, 5)
    with refused(ValueError, "2 values for 3"):
        reset_masked(mine, theirs, mask, [1, 2])


def test_a_mask_after_a_step_that_names_everybody() -> None:
    """Whoever named all environments, in order, has had the observations of all."""
    with make("Count", num_envs=3) as pool:
        pool.reset()
        pool.step([1, 1, 1], env_id=[0, 1, 2])
        obs, _ = pool.reset(options={"reset_mask": np.array([False, True, False])})
        assert obs.tolist() == [1, 0, 1]
        pool.step([1, 1, 1], env_id=[2, 1, 0])
        with refused(ResetNeededError, "reset_mask"):
            pool.reset(options={"reset_mask": np.array([False, True, False])})
