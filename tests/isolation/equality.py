"""Answers of pools here and in worker processes."""

from typing import Any

import numpy as np
from test_envs.checks import leaves


def equal(one: Any, other: Any) -> None:
    for a, b in zip(leaves(one), leaves(other), strict=True):
        assert a.dtype == b.dtype
        if a.dtype == object:  # final_obs: an observation or None
            assert [each is None for each in a] == [each is None for each in b]
            for mine, theirs in zip(a, b, strict=True):
                if mine is not None:
                    equal(mine, theirs)
        else:
            np.testing.assert_array_equal(a, b)


def without_flag(answer: Any) -> Any:
    """An isolated pool's answer less what only it has."""
    *rest, info = answer
    for part in [info, *([info["final_info"]] if "final_info" in info else [])]:
        assert not part.pop("worker_crashed").any()
        part.pop("_worker_crashed")
    return *rest, info
