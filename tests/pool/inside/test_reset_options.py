"""Arguments of single resets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import EnvError, ResetNeededError
from test_envs.checks import refused
from test_envs.inspectable_pools import NAMES, make


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_reset_options_hold_for_one_reset(name: str, env_type: str) -> None:
    def positions(result: Any) -> Any:
        if env_type == "gymnasium":
            return result[0]
        return result if env_type == "gym" else result.observation.obs

    with make(name, env_type, seed=1) as pool:
        usual = positions(pool.reset(seed=5)).copy()
        again = positions(pool.reset(seed=5, options={"low": 3.5, "high": 4.5}))
        np.testing.assert_allclose(again, 4 + usual / 2, rtol=1e-12)
        np.testing.assert_array_equal(positions(pool.reset(seed=5)), usual)
        some = positions(pool.reset([4, 0], seed=[9, 5], options={"low": 2, "high": 2}))
        assert some.tolist() == [2, 2]
        np.testing.assert_array_equal(positions(pool.reset(seed=5)), usual)

        mask = np.array([True, False] * 3)
        options = {"low": 6, "high": 6, "reset_mask": mask}
        positions(pool.reset(options=options))
        assert set(options) == {"low", "high", "reset_mask"}
        assert (pool.read_array("motion")[:, 0] == 6).tolist() == mask.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_reset_options_that_make_no_sense(name: str) -> None:
    with make(name) as pool:
        with refused(OptionError, "inspectable", "no option 'lo'", "'low'"):
            pool.reset(options={"lo": 1})
        with refused(OptionError, "'low' is 11", "-10 .. 10"):
            pool.reset(options={"low": 11})
        with refused(ValueError, "low is above high"):
            pool.reset(options={"low": 1, "high": 0})
        with refused(ResetNeededError, "never reset"):
            pool.step(np.ones(6, int))
        pool.reset()


def test_an_environment_may_refuse_its_reset_options() -> None:
    with make("Inspectable", num_envs=2) as pool:
        pool.reset()
        with refused(EnvError, "environment 1: not three"):
            pool.reset([1], options={"low": 3, "high": 3})
        obs, _ = pool.reset()
        assert (np.abs(obs) <= 1).all()


def test_asynchronous_pools_take_reset_options() -> None:
    with make("Inspectable", batch_size=2, num_threads=2) as pool:
        pool.async_reset(options={"low": 5, "high": 5})
        for _ in range(3):
            assert pool.recv()[0].tolist() == [5, 5]
