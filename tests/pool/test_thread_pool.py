"""Threads that several pools share: fair, told apart from the pools' own, ended by their pool."""

import copy
import gc
import pickle
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import (
    ClosedPoolError,
    ForkedPoolError,
    OptionError,
    ThreadPool,
    ThreadPoolInUseError,
)
from test_envs.checks import assert_works, in_child, recv_all, refused, reset_all
from test_envs.pools import make
from test_envs.threads import threads_of_this_process, until

pytestmark = pytest.mark.own_process


@pytest.mark.parametrize("batch_size", [8, 3])
def test_pools_share_threads_and_start_none(batch_size: int) -> None:
    before = threads_of_this_process()
    with ThreadPool(2) as threads:
        pools = [
            make("Walk", num_envs=8, batch_size=batch_size, thread_pool=threads, seed=seed)
            for seed in range(5)
        ]
        assert threads_of_this_process() == before + 2
        assert threads.num_pools == 5
        for pool in pools:
            *_, info = pool.reset()
            for _ in range(30):
                *_, info = pool.step(info["env_id"] % 3, info["env_id"])
            assert pool.config["num_threads"] == 2
            assert pool.config["thread_pool"] is threads
            pool.close()
        assert threads.num_pools == 0
    until(lambda: threads_of_this_process() == before, 2)


def test_a_pool_with_much_work_does_not_starve_another() -> None:
    with (
        ThreadPool(1) as threads,
        make("SleepyLate", num_envs=400, batch_size=1, thread_pool=threads) as busy,
        make("SleepyLate", num_envs=1, thread_pool=threads) as also,
        make("SleepyLate", num_envs=2, batch_size=1, thread_pool=threads) as small,
    ):
        for pool in (busy, also, small):
            reset_all(pool)
        busy.send([20] * 400)
        small.send([0], env_id=[1])
        # After a share of the other's work, a third of a second; all of it takes eight.
        small.recv(timeout=4)


def test_closing_one_pool_does_not_disturb_the_others() -> None:
    threads = ThreadPool(2)
    kept = reset_all(make("SleepyLate", num_envs=4, batch_size=2, thread_pool=threads))
    for _ in range(20):
        kept.send([1] * 4)
        with make("Walk", num_envs=6, batch_size=3, thread_pool=threads) as other:
            other.async_reset()
        assert [batch[1].tolist() for batch in recv_all(kept)] == [[1, 1]] * 2
    with refused(parallel_pool.EnvBuildError, "level.bin"):
        make("Faulty", num_envs=4, thread_pool=threads, fails_in="constructor")
    assert threads.num_pools == 1
    kept.close()
    threads.close()


def test_threads_in_use_are_not_ended() -> None:
    before = threads_of_this_process()
    threads = ThreadPool(2)
    pool = make(num_envs=4, thread_pool=threads)
    with refused(ThreadPoolInUseError, "1 open pool uses", "close every pool first"):
        threads.close()
    assert not threads.closed
    assert_works(pool)
    pool.close()
    threads.close()
    threads.close()
    assert threads.closed
    assert repr(threads) == "ThreadPool(num_threads=2, closed)"
    until(lambda: threads_of_this_process() == before, 2)
    with refused(ClosedPoolError, "thread pool is closed"):
        make(num_envs=4, thread_pool=threads)


def test_the_with_statement_shows_the_error_inside_of_it() -> None:
    with pytest.raises(ZeroDivisionError), ThreadPool(1) as threads:
        pool = make(num_envs=4, thread_pool=threads)
        _ = 1 / 0
    assert_works(pool)
    with pytest.raises(ThreadPoolInUseError), ThreadPool(1) as threads:
        pool = make(num_envs=4, thread_pool=threads)


def test_threads_live_as_long_as_somebody_needs_them() -> None:
    before = threads_of_this_process()
    pool = make(num_envs=4, batch_size=2, thread_pool=ThreadPool(2))
    gc.collect()
    assert threads_of_this_process() == before + 2
    pool.async_reset()
    pool.recv()
    del pool
    gc.collect()
    until(lambda: threads_of_this_process() == before, 2)


def test_the_process_ends_with_everything_open() -> None:
    global kept
    threads = ThreadPool(2)
    kept = [
        threads,
        *(make("SleepyLate", num_envs=4, batch_size=2, thread_pool=threads) for _ in range(3)),
    ]
    for pool in kept[1:]:
        pool.async_reset()


@pytest.mark.parametrize("closed", [False, True])
def test_a_forked_child_makes_its_own(closed: bool) -> None:
    threads = ThreadPool(2)
    pool = make(num_envs=4, thread_pool=threads)
    pool.reset()
    if closed:
        pool.close()

    def told() -> None:
        nonlocal pool, threads
        with refused(ForkedPoolError, "thread pool", "forked", "in the child"):
            make(num_envs=4, thread_pool=threads)
        with ThreadPool(2) as own, make(num_envs=4, thread_pool=own) as mine:
            assert_works(mine)
        threads.close()
        del pool, threads
        gc.collect()

    in_child(told)
    pool.close()
    with make(num_envs=4, thread_pool=threads) as again:
        assert_works(again)
    threads.close()


def test_pickles_and_specs_leave_it_behind() -> None:
    with ThreadPool(1) as threads, make(num_envs=2, thread_pool=threads, seed=3) as pool:
        with pickle.loads(pickle.dumps(pool)) as other:
            assert other.config["thread_pool"] is None
            assert_works(other)
        assert pickle.loads(pickle.dumps(pool.spec)) == pool.spec
        assert copy.deepcopy(threads) is threads is copy.copy(threads)
        with refused(TypeError, "ThreadPool", "cannot be pickled"):
            pickle.dumps(threads)


def test_config_makes_a_pool_on_the_same_threads() -> None:
    with (
        ThreadPool(2) as threads,
        make(num_envs=4, thread_pool=threads) as pool,
        parallel_pool.make(**pool.config) as other,
    ):
        assert threads.num_pools == 2
        assert other.config == pool.config
        assert repr(threads) == "ThreadPool(num_threads=2, pools=2)"
        assert repr(threads) in repr(pool)


def test_what_belongs_to_the_threads_is_refused_with_them() -> None:
    given: dict[str, Any] = {"num_threads": 2, "thread_affinity_offset": 0, "numa_node": 0}
    with ThreadPool(1) as threads:
        for name, value in {**given, "thread_affinity": np.array([0, 1])}.items():
            said = ("test/Count-v0", f"leave {name} out, or give it to the ThreadPool")
            with refused(OptionError, *said):
                make(num_envs=4, thread_pool=threads, **{name: value})


def test_only_a_thread_pool_will_do() -> None:
    with refused(OptionError, "thread_pool is 4", "parallel_pool.ThreadPool"):
        make(num_envs=4, thread_pool=4)
    for count in (0, -1, 2.0, True, "2", 5000):
        with refused(OptionError, "ThreadPool: num_threads is", "1 .. 4096"):
            ThreadPool(count)  # type: ignore[arg-type]


def test_at_most_so_many_pools() -> None:
    with ThreadPool(1) as threads:
        pools = []
        with refused(ValueError, "at most 256 pools"):
            for _ in range(300):
                pools.append(make("Walk", num_envs=1, batch_size=1, thread_pool=threads))
        assert threads.num_pools == len(pools) >= 250
        for pool in pools:
            pool.close()
        assert_works(make(num_envs=4, thread_pool=threads))
        gc.collect()


def test_shared_threads_serve_an_exclusive_library() -> None:
    with (
        ThreadPool(3) as threads,
        make("Exclusive", num_envs=3, batch_size=1, thread_pool=threads) as one,
        make("Exclusive", num_envs=3, batch_size=1, thread_pool=threads) as other,
    ):
        for pool in (one, other):
            pool.async_reset()
        for _ in range(20):
            for pool in (one, other):
                obs, *_, info = pool.recv()
                assert (obs == 0).all()
                pool.send([0], info["env_id"])
