"""Forked, spawned and inherited: pools and child processes. Each test in a process of its own."""

import multiprocessing
import os
import traceback
from typing import Any

import pytest
from parallel_pool import (
    ForkedPoolError,
)
from test_envs import pools
from test_envs.checks import assert_works, refused
from test_envs.pools import make

pytestmark = pytest.mark.own_process


def child_is_told(pool: Any) -> None:
    """Runs in a forked child: every use of the parent's pool is refused, at once."""
    for use in (lambda: pool.step([0] * 4), lambda: pool.send([0] * 4), pool.recv, pool.reset):
        with refused(ForkedPoolError, "forked", "in the child", "spawn"):
            use()
    pool.close()


@pytest.mark.parametrize("batch_size", [4, 2])
@pytest.mark.parametrize("pending", [False, True])
def test_a_forked_child_is_told(batch_size: int, pending: bool) -> None:
    pool = make(num_envs=4, batch_size=batch_size, num_threads=2, max_count=100)
    pool.async_reset()
    if not pending:
        for _ in range(4 // batch_size):
            pool.recv()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            child_is_told(pool)
            with make(num_envs=4, num_threads=2) as own:
                assert_works(own)
            del pool
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    if pending:
        for _ in range(4 // batch_size):
            pool.recv()
    pool.send([1] * 4, env_id=[0, 1, 2, 3])
    for _ in range(4 // batch_size):
        assert (pool.recv()[0] == 1).all()


def test_a_forked_child_may_end_the_usual_way() -> None:
    pool = make(num_envs=4, num_threads=2)
    pool.reset()
    pid = os.fork()
    if pid == 0:
        raise SystemExit(0)  # through atexit, garbage collection and all
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert_works(pool)


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_workers_of_every_start_method_have_pools_of_their_own(method: str) -> None:
    pool = make(num_envs=4, num_threads=2)
    pool.reset()
    context = multiprocessing.get_context(method)
    with context.Pool(2) as workers:
        pids = workers.map(pools.use_in_worker, [os.environ["PP_TEST_ENVS"]] * 2, chunksize=1)
    assert os.getpid() not in pids
    assert_works(pool)


def test_a_worker_that_inherits_a_pool_gets_the_error_and_ends_well() -> None:
    pool = make(num_envs=4, num_threads=2)
    pool.reset()
    worker = multiprocessing.get_context("fork").Process(target=child_is_told, args=(pool,))
    worker.start()
    worker.join()
    assert worker.exitcode == 0
    assert_works(pool)
