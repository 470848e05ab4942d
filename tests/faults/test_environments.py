"""Rows of the fault matrix: environments that throw, give NaN, hang, and what the others make of it.

Row 36, environments that end the process, is what `isolation="process"` is for and is tested with it.
"""

import numpy as np
import pytest
from test_envs.faulty_pools import FINE, NAN_OBSERVATION, NAN_REWARD, faulty

pytestmark = pytest.mark.own_process(limit=30)


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
