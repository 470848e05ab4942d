"""How a pool is closed, and how a process ends that has one. Each test in a process of its own."""

import time

import pytest
from parallel_pool import (
    ClosedPoolError,
    EnvBuildError,
)
from test_envs.checks import refused
from test_envs.pools import make, native
from test_envs.threads import in_threads, threads_of_this_process, until

pytestmark = pytest.mark.own_process


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_use_after_close_is_refused(env_type: str) -> None:
    pool = make("Count", env_type, num_envs=2)
    pool.reset()
    pool.close()
    pool.close()
    for use in (
        lambda: pool.step([0, 0]),
        lambda: pool.send([0, 0]),
        pool.recv,
        pool.reset,
        pool.async_reset,
    ):
        with refused(ClosedPoolError, "closed"):
            use()
    assert len(pool) == 2
    assert repr(pool)
    assert pool.stats()["num_threads"]
    pool.close()


@pytest.mark.parametrize("batch_size", [4, 2])
def test_close_joins_every_thread(batch_size: int) -> None:
    before = threads_of_this_process()
    with make(num_envs=4, batch_size=batch_size, num_threads=4) as pool:
        pool.reset()
        assert threads_of_this_process() == before + (3 if batch_size == 4 else 4)
    until(lambda: threads_of_this_process() == before, 2)


def test_a_deleted_pool_is_closed() -> None:
    before = threads_of_this_process()
    pool = make(num_envs=4, batch_size=2, num_threads=2)
    pool.async_reset()
    del pool
    until(lambda: threads_of_this_process() == before, 2)


@pytest.mark.parametrize("batch_size", [2, 1])
def test_close_wakes_a_blocked_recv(batch_size: int) -> None:
    pool = make("SleepyLate", num_envs=2, batch_size=batch_size, num_threads=2)
    pool.async_reset()
    for _ in range(2 // batch_size):
        pool.recv()
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


@pytest.mark.parametrize("batch_size", [8, 2])
def test_close_with_work_pending(batch_size: int) -> None:
    for milliseconds in (0, 1, 50):
        pool = make("SleepyLate", num_envs=8, batch_size=batch_size, num_threads=2)
        pool.async_reset()
        for _ in range(8 // batch_size):
            pool.recv()
        pool.send([milliseconds] * 8)
        pool.close()


@pytest.mark.parametrize("name", ["SleepyLate", "Sleepy", "Count"])
@pytest.mark.parametrize("batch_size", [4, 2])
def test_the_process_ends_with_work_pending(name: str, batch_size: int) -> None:
    """The runner sees to it that the process ends, in time and with status 0."""
    global kept
    kept = make(name, num_envs=4, batch_size=batch_size, num_threads=2)
    kept.async_reset()
    for _ in range(4 // batch_size):
        kept.recv()
    kept.send([2] * 4)


def test_the_process_ends_with_arrays_and_a_native_pool_alive() -> None:
    global kept
    kept = native("Walk", num_envs=4, batch_size=2, num_threads=2)
    kept = (kept, kept.reset(), {"pool": kept})
    kept[0].send_reset(kept[1][4])


def test_a_constructor_that_throws_leaves_no_thread() -> None:
    before = threads_of_this_process()
    with refused(EnvBuildError, "level.bin"):
        make("Faulty", num_envs=4, batch_size=2, num_threads=2, fails_in="constructor")
    until(lambda: threads_of_this_process() == before, 2)
