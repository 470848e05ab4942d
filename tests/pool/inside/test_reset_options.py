"""Arguments of single resets, and of all."""

from typing import Any

import numpy as np
import pytest
from envpool_interface.test_every_dialect import first_of
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import AlreadyPendingError, EnvError, ResetNeededError
from test_envs.checks import refused
from test_envs.inspectable_pools import NAMES, make


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_reset_options_hold_for_one_reset(name: str, env_type: str) -> None:
    with make(name, env_type, seed=1) as pool:
        usual = first_of(pool.reset(seed=5)).copy()
        again = first_of(pool.reset(seed=5, options={"low": 3.5, "high": 4.5}))
        np.testing.assert_allclose(again, 4 + usual / 2, rtol=1e-12)
        np.testing.assert_array_equal(first_of(pool.reset(seed=5)), usual)
        some = first_of(pool.reset([4, 0], seed=[9, 5], options={"low": 2, "high": 2}))
        assert some.tolist() == [2, 2]
        np.testing.assert_array_equal(first_of(pool.reset(seed=5)), usual)

        mask = np.array([True, False] * 3)
        options = {"low": 6, "high": 6, "reset_mask": mask}
        first_of(pool.reset(options=options))
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


@pytest.mark.parametrize("name", NAMES)
def test_each_environment_may_have_its_own(name: str) -> None:
    with make(name) as pool:
        each = [{"low": i, "high": i} for i in range(4, 9)]
        obs, _ = pool.reset(options=[*each, None])
        assert obs[:5].tolist() == [4, 5, 6, 7, 8]
        assert 0 < abs(obs[5]) <= 1
        assert pool.reset([4, 1], options=each[2:4])[0].tolist() == [6, 7]
        with refused(ValueError, "reset options for 2 environments, and these are 6"):
            pool.reset(options=each[:2])
        with refused(OptionError, "'low' is 11"):
            pool.reset(options=[*each, {"low": 11}])
        with refused(TypeError, "expected a dict for all environments, or a list"):
            pool.reset(options="low")  # type: ignore[arg-type]
        with refused(OptionError, "reset_mask is for one reset"):
            pool.reset(options=[{"reset_mask": np.ones(6, bool)}] * 6)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("name", NAMES)
def test_lasting_options_are_those_of_all_resets(name: str, mode: str) -> None:
    def ends(pool: Any) -> Any:
        """Steps to the limit, and past it to what the next episode begins with."""
        for _ in range(3):
            obs, *_ = pool.step(np.ones(6, int))
        if mode == "Disabled":
            return pool.reset()[0]
        return obs if mode == "SameStep" else pool.step(np.ones(6, int))[0]

    with make(name, max_episode_steps=3, autoreset_mode=mode) as pool:
        pool.set_reset_options([{"low": i, "high": i} for i in range(4, 10)])
        assert pool.reset()[0].tolist() == [4, 5, 6, 7, 8, 9]
        assert ends(pool).tolist() == [4, 5, 6, 7, 8, 9]
        assert pool.reset(options={"low": 1, "high": 1})[0].tolist() == [1] * 6  # for this one
        assert ends(pool).tolist() == [4, 5, 6, 7, 8, 9]
        pool.set_reset_options({"low": 2, "high": 2}, [1, 2])
        pool.set_reset_options(None, [0, 5])
        begun = ends(pool)
        assert begun[1:5].tolist() == [2, 2, 7, 8]
        assert (np.abs(begun[[0, 5]]) <= 1).all()
        pool.set_reset_options({})
        assert (np.abs(ends(pool)) <= 1).all()
        for refusal in ({"low": 11}, [{"low": 11}, *[None] * 5]):
            with refused(OptionError, "'low' is 11"):
                pool.set_reset_options(refusal)
        with refused(OptionError, "reset_mask is for one reset"):
            pool.set_reset_options({"reset_mask": np.ones(6, bool)})
        pool.send(np.ones(6, int))
        with refused(AlreadyPendingError, "environment 0"):
            pool.set_reset_options({"low": 1, "high": 1})
        pool.recv()


def test_asynchronous_pools_take_reset_options() -> None:
    with make("Inspectable", batch_size=2, num_threads=2) as pool:
        pool.async_reset(options={"low": 5, "high": 5})
        for _ in range(3):
            assert pool.recv()[0].tolist() == [5, 5]
