"""Masks that reset some environments: as Gymnasium's, and refused as it does. Of what order: tests/model."""

from typing import Any

import numpy as np
import pytest
from test_envs.checks import refused
from test_envs.pools import make
from views.twins import assert_same, both, every_mode, play, reset_masked

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


def test_seeds_with_a_mask() -> None:
    mine, theirs = both("Walk", 3, "Disabled")
    for seed in (5, [1, 2, 3], [4, None, 6], [None, 8, None]):
        assert_same(first := mine.reset(seed=0), theirs.reset(seed=0))
        first[1].clear()  # infos are the caller's
        mask = np.array([True, False, True])
        assert_same(*reset_masked(mine, theirs, mask, seed))
        play(mine, theirs, 5)
    with refused(ValueError, "2 values for 3"):
        reset_masked(mine, theirs, mask, [1, 2])
