"""Errors name all options that there are not, and shorten large values."""

from typing import Any

import numpy as np
import pytest
from parallel_pool import OptionError, UnknownArgumentError
from test_envs.inspectable_pools import make

LONG = 600
"""Characters that no error here needs."""


def test_all_wrong_names_are_said_at_once() -> None:
    with pytest.raises(UnknownArgumentError) as caught:
        make("Inspectable", num_env=3, rosw=1, num_threads=1)
    first, second = str(caught.value).splitlines()
    assert "no option 'num_env' " in first
    assert "Did you mean 'num_envs'?" in first
    assert "no option 'rosw' " in second
    assert "Did you mean 'rows'?" in second


@pytest.mark.parametrize("value", [[1.0] * 3000, np.arange(3000.0), "x" * 3000])
def test_a_large_option_is_shortened(value: Any) -> None:
    with pytest.raises(OptionError, match=r"(?s)option 'rows' is .*\.\.\..*, expected ") as caught:
        make("Inspectable", rows=value)
    assert len(str(caught.value)) < LONG


@pytest.mark.parametrize("action", [[[1], [2, 3]] * 1000, {i: i for i in range(1000)}])
def test_a_large_action_is_shortened(action: Any) -> None:
    with make("Inspectable", num_envs=2) as pool:
        pool.reset()
        with pytest.raises((TypeError, ValueError), match=r"^the action ") as caught:
            pool.step(action)
    assert len(str(caught.value)) < LONG
