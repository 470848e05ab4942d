"""Rows of the fault matrix: environments that throw, give NaN, hang, and what the others make of it.

Row 36, environments that end the process, is what `isolation="process"` is for and is tested with it.
"""

import hashlib
import math

import numpy as np
import pytest
from parallel_pool import EnvError, EnvTimeoutError, ResetNeededError, StuckEnvError
from test_envs.checks import refused, reset_all
from test_envs.faulty_pools import FINE, HANGS, NAN_OBSERVATION, NAN_REWARD, THROWS, faulty
from test_envs.pools import make

pytestmark = pytest.mark.own_process(limit=30)


@pytest.mark.parametrize("batch_size", [4, 2])
@pytest.mark.parametrize("threads", [1, 2])
def test_row_25_an_exception_in_a_worker(batch_size: int, threads: int) -> None:
    pool = reset_all(faulty(num_envs=4, batch_size=batch_size, num_threads=threads))
    for _ in range(3):
        pool.send([FINE, FINE, THROWS, FINE], [0, 1, 2, 3])
        rewards = {}
        for _ in range(4 // batch_size):
            try:
                _, reward, *_, info = pool.recv()
            except EnvError as error:
                assert set(error.failures) == {2}
                assert "ordered to throw at step" in error.failures[2]
                _, reward, _, truncated, info = error.result
                assert truncated.tolist() == (info["env_id"] == 2).tolist()
            rewards |= dict(zip(info["env_id"].tolist(), reward.tolist(), strict=True))
        assert rewards == {0: 1, 1: 1, 2: 0, 3: 1}
        with refused(ResetNeededError, "environment 2 failed earlier"):
            pool.send([FINE], [2])
        pool.send([FINE] * 2, [0, 1])
        pool.recv()
        pool.async_reset([2, 3])
        pool.recv()


def test_row_25_each_environment_has_its_own_script() -> None:
    scripts = ["", "2:throws", "1:nan_reward 3:ends", ""]
    pool = faulty(env_options={"script": scripts}, num_threads=2)
    pool.reset()
    reward, terminated = pool.step([FINE] * 4)[1:3]
    assert math.isnan(reward[2])
    assert reward[[0, 1, 3]].tolist() == [1, 1, 1]
    with pytest.raises(EnvError) as caught:
        pool.step([FINE] * 4)
    assert caught.value.failures == {1: "ordered to throw at step 2"}
    terminated = pool.step([FINE] * 3, [0, 2, 3])[2]
    assert terminated.tolist() == [False, True, False]


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_row_25_nan_from_an_environment_is_passed_on(env_type: str) -> None:
    """It is the environment's answer: no environment is failed, reset or stopped for it."""
    pool = faulty(env_type=env_type, num_envs=2)
    pool.reset()
    answer = pool.step(np.array([NAN_OBSERVATION, NAN_REWARD]))
    obs, reward = (answer[3].obs, answer[1]) if env_type == "dm" else answer[:2]
    assert np.isnan(obs).all(axis=1).tolist() == [True, False]
    assert np.isnan(reward).tolist() == [False, True]
    answer = pool.step(np.array([FINE, FINE]))
    obs, reward = (answer[3].obs, answer[1]) if env_type == "dm" else answer[:2]
    assert obs[:, 0].tolist() == [2, 2]
    assert reward.tolist() == [1, 1]


def trajectory(
    batch_size: int, threads: int, step_timeout: float | None, policy: str
) -> dict[int, str]:
    """A hash for each environment of everything it said in its first 60 steps."""
    arguments = {"num_threads": threads, "step_timeout": step_timeout, "nan_action": policy}
    pool = make("Walk", num_envs=12, batch_size=batch_size, seed=5, **arguments)
    said = {env: hashlib.sha256() for env in range(12)}
    steps = dict.fromkeys(range(12), -1)
    pool.async_reset()
    while min(steps.values()) < 60:
        obs, reward, terminated, truncated, info = pool.recv()
        ids = info["env_id"]
        for row, env in enumerate(ids.tolist()):
            steps[env] += 1
            if steps[env] <= 60:
                for part in (obs, reward, terminated, truncated):
                    said[env].update(part[row].tobytes())
        pool.send([(env + steps[env]) % 3 for env in ids.tolist()], ids)
    pool.close()
    return {env: each.hexdigest() for env, each in said.items()}


def test_row_33_trajectories_depend_on_no_thread_and_no_order() -> None:
    wanted = trajectory(12, 1, None, "raise")
    assert len(set(wanted.values())) == 12
    for batch_size, threads in ((12, 2), (12, 4), (3, 1), (3, 4), (5, 2), (1, 2)):
        assert trajectory(batch_size, threads, None, "raise") == wanted
    assert trajectory(12, 2, 30, "truncate") == wanted
    assert trajectory(3, 2, 30, "raise") == wanted


@pytest.mark.parametrize("batch_size", [4, 2])
def test_row_38_an_environment_that_hangs(batch_size: int) -> None:
    """Named and answered for in time; the others go on; close and the end of the process do not hang."""
    arguments = {"num_envs": 4, "batch_size": batch_size, "num_threads": 2}
    pool = reset_all(faulty(step_timeout=0.3, **arguments))
    pool.send([FINE, HANGS, FINE, FINE], [0, 1, 2, 3])
    errors = []
    for _ in range(4 // batch_size):
        try:
            pool.recv()
        except EnvTimeoutError as error:
            errors.append(error)
    assert [set(error.failures) for error in errors] == [{1}]
    assert isinstance(errors[0], TimeoutError)
    assert isinstance(errors[0], EnvError)
    with refused(StuckEnvError, "environment 1", "step_timeout"):
        pool.send([FINE], [1])
    pool.send([FINE] * 2, [0, 2])
    assert pool.recv()[0][:, 0].tolist() == [2, 2]
    pool.close()
