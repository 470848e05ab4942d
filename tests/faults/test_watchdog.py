"""step_timeout: what is known, kept and given up when an environment does not return from its step."""

import gc
import pickle
import tempfile
import time
from typing import Any

import numpy as np
import pytest
from parallel_pool import ClosedPoolError, EnvError, EnvTimeoutError, StuckEnvError
from test_envs.checks import refused
from test_envs.faulty_pools import (
    ENDS,
    FINE,
    HANGS,
    HANGS_IN_RESET,
    SLOW,
    SPINS,
    THROWS,
    faulty,
    soon,
    touch,
)
from test_envs.pools import make
from test_envs.threads import threads_of_this_process, until

pytestmark = pytest.mark.own_process(limit=40)


def with_limit(seconds: float = 0.25, **arguments: Any) -> Any:
    pool = faulty(**{"num_envs": 4, "num_threads": 2, "step_timeout": seconds, **arguments})
    pool.reset()
    return pool


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("fault", [HANGS, SPINS])
def test_row_38_the_others_rows_are_in_the_error(threads: int, fault: int) -> None:
    """Also those that waited for the thread that hangs: another one takes its place."""
    pool = with_limit(num_threads=threads)
    began = time.monotonic()
    with pytest.raises(EnvTimeoutError) as caught:
        pool.step([fault, FINE, FINE, FINE])
    assert 0.25 <= time.monotonic() - began < 5
    error = caught.value
    assert isinstance(error, TimeoutError) and isinstance(error, EnvError)
    assert error.failures == {
        0: "no answer within step_timeout=0.25 seconds; its step or reset cannot be stopped"
    }
    assert "go on with the others" in str(error)
    obs, reward, terminated, truncated, info = error.result
    assert info["env_id"].tolist() == [0, 1, 2, 3]
    assert obs[:, 0].tolist() == [0, 1, 1, 1]
    assert reward.tolist() == [0, 1, 1, 1]
    assert terminated.tolist() == [False] * 4
    assert truncated.tolist() == [True, False, False, False]
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is EnvTimeoutError
    assert str(copy) == str(error)

    for use in (
        lambda: pool.step([FINE] * 4),
        lambda: pool.step([FINE], [0]),
        lambda: pool.reset(),
        lambda: pool.reset([0, 1]),
        lambda: pool.get_state(),
        lambda: pool.clone(1, [0]),
    ):
        with refused(StuckEnvError, "environment 0", "Go on with the others"):
            use()
    for count in range(2, 50):
        assert pool.step([FINE] * 3, [1, 2, 3])[0][:, 0].tolist() == [count] * 3
    # A failure among the others is an ordinary one.
    with pytest.raises(EnvError) as failed:
        pool.step([THROWS, FINE, FINE], [1, 2, 3])
    assert type(failed.value) is EnvError


@pytest.mark.parametrize("threads", [1, 3])
def test_an_asynchronous_pool_goes_on_while_others_hang_one_after_the_other(threads: int) -> None:
    """More of them than there are threads."""
    pool = faulty(num_envs=8, batch_size=2, num_threads=threads, step_timeout=0.2)
    pool.async_reset()
    lost: set[int] = set()
    counts = np.zeros(8, int)
    steps = 0
    # Two are left in the end, so that there is always a batch to wait for.
    while len(lost) < 6 or steps < 200:
        try:
            obs, *_, info = pool.recv()
        except EnvTimeoutError as error:
            assert not lost & set(error.failures)
            lost |= set(error.failures)
            obs, *_, info = error.result
        ids = np.array([env for env in info["env_id"] if env not in lost], int)
        steps += len(ids)
        rows = np.isin(info["env_id"], ids)
        assert (obs[rows, 0] == counts[ids]).all()
        counts[ids] += 1
        to_hang = (counts[ids] > 3) & (ids < 6)
        if len(ids):
            pool.send(np.where(to_hang, HANGS, FINE), ids)
    assert lost == set(range(6))


def test_who_comes_out_late_is_seen_by_nobody_and_well_again_after_a_reset() -> None:
    before = threads_of_this_process()
    with tempfile.TemporaryDirectory() as folder:
        pool = with_limit(release=f"{folder}/release")
        kept = []
        with pytest.raises(EnvTimeoutError) as caught:
            pool.step([HANGS, FINE, HANGS, FINE])
        kept.append((caught.value.result[0], caught.value.result[0].copy()))
        kept += [(obs, obs.copy()) for obs in (pool.step([FINE] * 2, [1, 3])[0] for _ in range(50))]
        touch(f"{folder}/release")

        def out() -> bool:
            try:
                pool.reset([0, 2])
            except StuckEnvError:
                return False
            return True

        until(out)
        for obs, copy in kept:
            assert obs.tolist() == copy.tolist()
        assert pool.step([FINE] * 4)[0][:, 0].tolist() == [1, 52, 1, 52]
        for _ in range(100):
            pool.step([FINE] * 4)
        pool.close()
    until(lambda: threads_of_this_process() == before, 2)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_hanging_in_a_reset(mode: str) -> None:
    """In one that was asked for, and in one of the pool's own."""
    pool = with_limit(autoreset_mode=mode)
    pool.step([FINE, HANGS_IN_RESET, FINE, HANGS_IN_RESET])
    with pytest.raises(EnvTimeoutError) as caught:
        pool.reset([0, 1])
    assert set(caught.value.failures) == {1}
    assert caught.value.result[0][:, 0].tolist() == [0, 0]
    with pytest.raises(EnvTimeoutError) as caught:
        pool.step([ENDS, FINE, ENDS], [0, 2, 3])
        pool.step([FINE, FINE, FINE], [0, 2, 3])
    assert set(caught.value.failures) == {3}
    assert pool.step([FINE] * 2, [0, 2])[4]["env_id"].tolist() == [0, 2]


@pytest.mark.parametrize("given_up", [True, False])
def test_close_waits_no_longer_than_the_limit(given_up: bool) -> None:
    pool = with_limit(0.4)
    pool.send([HANGS, FINE, SPINS, FINE])
    if given_up:
        with pytest.raises(EnvTimeoutError):
            pool.recv()
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < 3
    with refused(ClosedPoolError):
        pool.recv()
    pool.close()
    del pool
    gc.collect()


def test_close_wakes_who_waits_for_one_that_hangs() -> None:
    pool = with_limit(1)
    soon(pool.close)
    with refused(ClosedPoolError):
        pool.step([FINE, HANGS, FINE, FINE])


def test_close_waits_for_steps_that_are_merely_under_way() -> None:
    before = threads_of_this_process()
    pool = with_limit(20, slow_ms=300)
    pool.send([SLOW] * 4)
    time.sleep(0.05)
    pool.close()
    until(lambda: threads_of_this_process() == before, 2)


def test_a_thread_that_comes_out_after_the_pool_is_gone() -> None:
    before = threads_of_this_process()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(5):
            pool = with_limit(release=f"{folder}/release")
            with pytest.raises(EnvTimeoutError):
                pool.step([HANGS, FINE, FINE, SPINS])
            pool.close()
            del pool
            gc.collect()
        assert threads_of_this_process() >= before + 10
        touch(f"{folder}/release")
        until(lambda: threads_of_this_process() == before)


@pytest.mark.parametrize("how", ["close", "del", "exit"])
def test_the_process_ends_with_a_thread_that_hangs(how: str) -> None:
    """The runner sees to it: in time, with status 0."""
    global kept
    kept = with_limit()
    with pytest.raises(EnvTimeoutError):
        kept.step([HANGS, SPINS, FINE, FINE])
    if how == "close":
        kept.close()
    elif how == "del":
        del kept


@pytest.mark.parametrize("given_up", [True, False])
def test_a_library_for_one_at_a_time(given_up: bool) -> None:
    """No other thread gets in, so all that wait are given up, and new pools of it are refused."""
    pool = with_limit(name="ScriptedExclusive")
    assert pool.step([FINE] * 4)[0][:, 0].tolist() == [1] * 4
    pool.send([FINE, HANGS, FINE, FINE])
    if given_up:
        with pytest.raises(EnvTimeoutError) as caught:
            pool.recv()
        assert 1 in caught.value.failures
        with refused(StuckEnvError, "faulty", "one environment at a time"):
            faulty("ScriptedExclusive", num_envs=2)
        with refused(StuckEnvError):
            pool.reset()
    pool.close()
    other = faulty(num_envs=2)  # of the same file, and for several at a time
    other.reset()
    assert other.step([FINE] * 2)[0][:, 0].tolist() == [1, 1]


def test_a_kernel_of_many_lanes_is_stepped_one_by_one() -> None:
    """So that the one that hangs can be named, and its neighbours are not lost with it."""
    with make("WalkBatch", num_envs=100, seed=1, num_threads=1) as pool:
        wanted = [pool.reset()[0], *(pool.step([2] * 100)[0] for _ in range(20))]
        assert pool.stats()["shards"] < 100
    with make("WalkBatch", num_envs=100, seed=1, num_threads=2, step_timeout=30) as pool:
        got = [pool.reset()[0], *(pool.step([2] * 100)[0] for _ in range(20))]
        assert pool.stats()["shards"] == 100
    assert np.array_equal(wanted, got)


def test_a_timeout_of_recv_comes_first_if_it_is_shorter() -> None:
    pool = with_limit(1)
    pool.send([HANGS, FINE, FINE, FINE])
    with pytest.raises(TimeoutError, match=r"within 0\.1 seconds") as caught:
        pool.recv(timeout=0.1)
    assert not isinstance(caught.value, EnvTimeoutError)
    with pytest.raises(EnvTimeoutError):
        pool.recv(timeout=30)
