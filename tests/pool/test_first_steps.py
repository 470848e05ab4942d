"""Pools whose environments begin their first episode with their first step (PoolConfig.step_begins)."""

from typing import Any

import numpy as np
import pytest
from parallel_pool.pool_errors import ResetNeededError
from test_envs.pools import native

OBS, REWARD, TERMINATED, TRUNCATED, ENV_ID, ELAPSED = range(6)


def one(num_envs: int = 3, **arguments: Any) -> Any:
    return native("Count", num_envs=num_envs, step_begins=True, **arguments)


def test_some_have_begun_and_some_have_not() -> None:
    pool = one()
    pool.step(np.array([1]), [1])
    result = pool.step(np.array([1, 1, 1]), None)
    assert result[OBS].tolist() == [0, 1, 0]
    assert result[REWARD].tolist() == [0, 1, 0]
    pool.close()


def test_asynchronous_pools_do_so_too() -> None:
    pool = one(4, batch_size=2)
    pool.send(np.zeros(4, int), None)
    assert [pool.recv(None)[ELAPSED].tolist() for _ in range(2)] == [[0, 0]] * 2
    pool.close()


def test_what_was_never_begun_has_nothing_to_show() -> None:
    pool = one(1)
    with pytest.raises(ValueError, match="the action of environment 0 is 7"):
        pool.step(np.array([7]), None)
    with pytest.raises(ResetNeededError, match="environment 0 was never reset"):
        pool.get_state([0])
    pool.close()
