"""recv(timeout=...)."""

import time
from typing import Any

import numpy as np
import pytest
from test_envs.pools import make


def obs_of(answer: Any) -> list[int]:
    return (answer.observation.obs if hasattr(answer, "observation") else answer[0]).tolist()


@pytest.mark.serial
@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_a_receive_that_times_out_loses_nothing(env_type: str) -> None:
    with make("SleepyLate", env_type, num_envs=2, batch_size=1, num_threads=2) as pool:
        pool.async_reset()
        pool.recv()
        pool.recv()
        pool.send(np.array([500, 500]), [0, 1])
        for _ in range(2):
            began = time.monotonic()
            with pytest.raises(TimeoutError, match=r"within 0\.05 seconds"):
                pool.recv(timeout=0.05)
            assert time.monotonic() - began < 0.4
        assert [obs_of(pool.recv(timeout=30)) for _ in range(2)] == [[1], [1]]


@pytest.mark.serial
def test_no_time_at_all_takes_what_is_ready() -> None:
    with make("SleepyLate", num_envs=2, batch_size=1, num_threads=2) as pool:
        pool.async_reset()
        pool.recv()
        pool.recv()
        pool.send([300, 0], [0, 1])
        time.sleep(0.1)
        *_, info = pool.recv(timeout=0)
        assert info["env_id"].tolist() == [1]
        with pytest.raises(TimeoutError):
            pool.recv(timeout=0)
        assert pool.recv(timeout=float("inf"))[4]["env_id"].tolist() == [0]


@pytest.mark.parametrize(
    ("timeout", "error"),
    [(10**400, ValueError), (-1, ValueError), (float("nan"), ValueError), ("soon", TypeError)],
)
def test_what_is_no_timeout_is_refused(timeout: Any, error: type[Exception]) -> None:
    with make(num_envs=2) as pool:
        pool.reset()
        pool.send([0, 0])
        with pytest.raises(error):
            pool.recv(timeout=timeout)
        assert pool.recv(timeout=5)[0].tolist() == [1, 1]
