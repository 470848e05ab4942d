"""What signals do to a pool that waits. Each test in a process of its own."""

import os
import signal
import threading

import pytest
from parallel_pool import (
    AlreadyPendingError,
)
from test_envs.checks import assert_works, refused
from test_envs.pools import make

pytestmark = pytest.mark.own_process


def signal_soon(number: int, seconds: float = 0.3) -> None:
    """Sends this process a signal while it does something else."""
    threading.Timer(seconds, os.kill, (os.getpid(), number)).start()


@pytest.mark.parametrize("name", ["Sleepy", "SleepyLate"])
def test_ctrl_c_interrupts_a_waiting_recv_and_loses_nothing(name: str) -> None:
    pool = make(name, num_envs=2, batch_size=1, num_threads=2)
    pool.async_reset()
    for _ in range(2):
        pool.recv()
    pool.send([50, 50])
    for _ in range(2):
        pool.recv()
    pool.send([2000], env_id=[0])
    signal_soon(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        pool.recv()
    # The pool is as it was, and the step is not done; its batch comes later, once.
    with refused(AlreadyPendingError, "environment 0"):
        pool.send([0], env_id=[0])
    pool.send([0], env_id=[1])
    assert pool.recv()[4]["env_id"].tolist() == [1]
    obs, reward, *_, info = pool.recv()
    assert info["env_id"].tolist() == [0]
    assert reward[0] == 2000
    pool.send([0], env_id=[0])
    assert pool.recv()[0][0] == obs[0] + 1
    pool.close()


def test_ctrl_c_interrupts_a_synchronous_step() -> None:
    pool = make("SleepyLate", num_envs=2, num_threads=2)
    pool.reset()
    pool.step([20, 20])
    signal_soon(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        pool.step([1500, 1500])
    with refused(AlreadyPendingError, "environment 0"):
        pool.step([0, 0])
    assert pool.recv()[1].tolist() == [1500, 1500]
    assert_works(pool)


def test_a_signal_handler_that_returns_does_not_disturb() -> None:
    seen = []
    signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    pool = make("SleepyLate", num_envs=2, batch_size=1, num_threads=1)
    pool.async_reset()
    for _ in range(2):
        pool.recv()
    pool.send([1000], env_id=[0])
    signal_soon(signal.SIGUSR1)
    assert pool.recv()[1].tolist() == [1000]
    assert seen == [1]


def test_a_signal_handler_may_use_the_pool() -> None:
    pool = make("SleepyLate", num_envs=2, batch_size=1, num_threads=2)
    pool.async_reset()
    for _ in range(2):
        pool.recv()
    signal.signal(signal.SIGUSR1, lambda *_: pool.send([0], env_id=[1]))
    pool.send([60000], env_id=[0])
    signal_soon(signal.SIGUSR1)
    assert pool.recv()[4]["env_id"].tolist() == [1]
    print("passed", flush=True)
    os._exit(0)  # without waiting a minute for environment 0


def test_sigterm_ends_a_process_in_the_middle_of_a_step() -> None:
    pid = os.fork()
    if pid == 0:
        pool = make("SleepyLate", num_envs=2, batch_size=1, num_threads=2)
        pool.async_reset()
        for _ in range(2):
            pool.recv()
        pool.send([60000], env_id=[0])
        signal_soon(signal.SIGTERM)
        pool.recv()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGTERM
