"""How a pool is closed, and how a process ends that has one. Each test in a process of its own.

The rest of it: rows 19 and 22 of the fault matrix (tests/faults).
"""

import time

import pytest
from parallel_pool import ClosedPoolError, EnvBuildError
from test_envs.checks import refused, reset_all
from test_envs.pools import make
from test_envs.threads import in_threads, threads_of_this_process, until

pytestmark = pytest.mark.own_process


@pytest.mark.parametrize("batch_size", [4, 2])
@pytest.mark.parametrize("step_timeout", [None, 5.0])
@pytest.mark.parametrize("deleted", [False, True])
def test_row_20_close_joins_every_thread_and_may_come_twice(
    batch_size: int, deleted: bool, step_timeout: float | None
) -> None:
    before = threads_of_this_process()
    for env_type in ("gymnasium", "gym", "dm"):
        sizes = {"num_envs": 4, "batch_size": batch_size, "num_threads": 4}
        pool = make(env_type=env_type, step_timeout=step_timeout, **sizes)
        pool.async_reset()
        if step_timeout is None:  # a caller that waits for all works too
            assert threads_of_this_process() == before + (3 if batch_size == 4 else 4)
        if deleted:
            del pool
        else:
            pool.close()
            pool.close()
            assert len(pool) == 4
            assert repr(pool)
            assert pool.stats()["num_threads"] == 4
        until(lambda: threads_of_this_process() == before, 2)


@pytest.mark.parametrize("batch_size", [2, 1])
def test_row_21_close_wakes_a_blocked_recv(batch_size: int) -> None:
    pool = reset_all(make("SleepyLate", num_envs=2, batch_size=batch_size, num_threads=2))
    pool.send([1000, 1000])

    def receive() -> None:
        with refused(ClosedPoolError, "closed"):
            pool.recv()

    def close() -> None:
        time.sleep(0.3)
        pool.close()
        pool.close()

    in_threads(receive, close, close)
    with refused(ClosedPoolError, "closed"):
        pool.recv()


@pytest.mark.parametrize(("num_envs", "batch_size"), [(1, 1), (4, 4), (4, 2)])
def test_row_28_a_constructor_that_throws_leaves_no_thread(num_envs: int, batch_size: int) -> None:
    before = threads_of_this_process()
    sizes = {"num_envs": num_envs, "batch_size": batch_size, "num_threads": 2}
    for _ in range(3):
        with refused(EnvBuildError, "test/Faulty-v0", "environment", "no such file: level.bin"):
            make("Faulty", **sizes, fails_in="constructor")
    until(lambda: threads_of_this_process() == before, 2)
    make(**sizes).close()
