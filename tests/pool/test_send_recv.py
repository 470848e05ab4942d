"""What comes while a pool waits: environments that finish in any order, conversions, signals.

What is refused: rows 3 to 10 and 18 of the fault matrix (tests/faults). Which rows an answer has: tests/model.
"""

import os
import signal
import threading
from typing import Any

import numpy as np
import pytest
from parallel_pool import AlreadyPendingError, NothingPendingError
from test_envs.checks import refused
from test_envs.pools import make


@pytest.mark.parametrize("name", ["Sleepy", "SleepyLate"])
def test_an_asynchronous_pool_answers_in_the_order_of_finishing(name: str) -> None:
    with make(name, num_envs=3, batch_size=1, num_threads=2) as pool:
        assert pool.is_async
        pool.async_reset()
        for _ in range(3):
            pool.recv()
        # Work that was short so far is done at once by the sender; LATE_ROWS says it may not be.
        if name == "Sleepy":
            pool.send([30, 30, 30])
            for _ in range(3):
                pool.recv()
        pool.send([1500, 0, 0], env_id=[0, 1, 2])
        order = [pool.recv()[4]["env_id"].tolist() for _ in range(3)]
        assert order[-1] == [0]
        assert sorted(order[:2]) == [[1], [2]]


@pytest.mark.parametrize("batch_size", [3, 1])
def test_actions_whose_conversion_uses_the_pool(batch_size: int) -> None:
    """Python code runs while an action is converted; it may send, or another thread may."""

    with make(num_envs=3, batch_size=batch_size, max_count=100) as pool:
        pool.async_reset()
        for _ in range(3 // batch_size):
            pool.recv()

        class Sender:
            def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
                pool.send(np.array([2]), np.array([0]))
                return np.array([1, 1])

        with refused(AlreadyPendingError, "environment 0 has a result"):
            pool.send(Sender(), np.array([1, 0]))
        _, reward, *_, info = pool.recv()
        assert info["env_id"].tolist() == [0]
        assert reward.tolist() == [2]
        with pytest.raises(NothingPendingError):
            pool.recv()


@pytest.mark.own_process
@pytest.mark.parametrize("uses_the_pool", [False, True])
def test_a_signal_handler_that_returns_does_not_disturb(uses_the_pool: bool) -> None:
    pool = make("SleepyLate", num_envs=2, batch_size=1, num_threads=2)
    pool.async_reset()
    for _ in range(2):
        pool.recv()
    came: list[int] = []

    def handler(number: int, _: Any) -> None:
        came.append(number)
        if uses_the_pool:
            pool.send([0], env_id=[1])

    signal.signal(signal.SIGUSR1, handler)
    pool.send([60000 if uses_the_pool else 1000], env_id=[0])
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1)).start()
    assert pool.recv()[4]["env_id"].tolist() == [int(uses_the_pool)]
    assert came == [signal.SIGUSR1]
    print("passed", flush=True)
    os._exit(0)  # without waiting a minute for environment 0
