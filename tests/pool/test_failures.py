"""Environments that fail: named, kept apart, and no hindrance to others."""

import pickle

import numpy as np
import pytest
from parallel_pool import EnvBuildError, EnvError, ParallelPoolError, ResetNeededError
from test_envs.checks import assert_works, refused
from test_envs.faulty_pools import NAN_OBSERVATION, NAN_REWARD, faulty
from test_envs.pools import begun, make, native

FINE, THROW, THROW_INT, END, RESET_THROWS = range(5)


@pytest.mark.parametrize(("threads", "isolation"), [(1, None), (2, None), (2, "process")])
def test_row_25_one_fails_and_the_others_go_on(threads: int, isolation: str | None) -> None:
    with begun(make("Faulty", num_envs=4, num_threads=threads, isolation=isolation)) as pool:
        pool.step([FINE] * 4)
        with pytest.raises(EnvError) as caught:
            pool.step([FINE, FINE, THROW, FINE])
        error = caught.value
        assert isinstance(error, ParallelPoolError)
        assert error.failures == {2: "boom at step 2"}
        assert "environment 2: boom at step 2" in str(error)
        assert "reset(env_id=[2])" in str(error)
        obs, reward, terminated, truncated, info = error.result
        assert info["env_id"].tolist() == [0, 1, 2, 3]
        assert obs.tolist() == [2, 2, 0, 2]
        assert reward.tolist() == [1, 1, 0, 1]
        assert terminated.tolist() == [False] * 4
        assert truncated.tolist() == [False, False, True, False]

        # Quarantined until it is reset; a refusal steps no environment.
        with refused(ResetNeededError, "environment 2 failed earlier", "reset(env_id=[2])"):
            pool.step([FINE] * 4)
        assert pool.step([FINE] * 3, [0, 1, 3])[0].tolist() == [3, 3, 3]
        pool.reset([2])
        assert pool.step([FINE] * 4)[0].tolist() == [4, 4, 1, 4]


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_row_25_nan_from_an_environment_is_passed_on(env_type: str, faulty_library: str) -> None:
    """It is the environment's answer: no environment is failed, reset or stopped for it."""
    with begun(faulty(env_type=env_type, num_envs=2)) as pool:
        for actions, nan_obs, nan_reward in (
            ([NAN_OBSERVATION, NAN_REWARD], [True, False], [False, True]),
            ([FINE, FINE], [False, False], [False, False]),
        ):
            answer = pool.step(actions)
            obs, reward = (answer[3].obs, answer[1]) if env_type == "dm" else answer[:2]
            assert np.isnan(obs).all(axis=1).tolist() == nan_obs
            assert np.isnan(reward).tolist() == nan_reward
        assert obs[:, 0].tolist() == [2, 2]
        assert reward.tolist() == [1, 1]


def test_a_failure_in_an_automatic_reset() -> None:
    with begun(make("Faulty", num_envs=2)) as pool:
        pool.step([RESET_THROWS, FINE])
        pool.step([END, FINE])
        with pytest.raises(EnvError) as caught:
            pool.step([FINE, FINE])
        assert caught.value.failures == {0: "boom in reset"}
        assert caught.value.result[0].tolist() == [0, 3]
        assert_works(pool, FINE)


def test_a_failure_in_reset() -> None:
    with begun(make("Faulty", num_envs=2)) as pool:
        pool.step([FINE, RESET_THROWS])
        with pytest.raises(EnvError) as caught:
            pool.reset()
        assert caught.value.failures == {1: "boom in reset"}
        with refused(ResetNeededError, "environment 1"):
            pool.step([FINE] * 2)
        assert_works(pool, FINE)


def test_one_constructor_of_many_that_throws_is_named() -> None:
    options = [{}, {}, {"fails_in": "constructor"}, {}]
    with refused(EnvBuildError, "environment 2", "level.bin"):
        native("Faulty", num_envs=4, options=options)


def test_an_error_survives_pickling_and_carries_no_pool() -> None:
    with begun(make("Faulty", num_envs=2)) as pool, pytest.raises(EnvError) as caught:
        pool.step([THROW, FINE])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.failures == {0: "boom at step 1"}
    assert copy.result[0].tolist() == [0, 1]
    assert str(copy) == str(caught.value)
