"""Rows of the fault matrix: sends and receives that do not go together, and threads that share a pool."""

import tempfile
from functools import partial

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from parallel_pool import AlreadyPendingError, NothingPendingError, OptionError, ResetNeededError
from test_envs.checks import recv_all, refused, reset_all
from test_envs.faulty_pools import FINE, HANGS, SLOW, faulty, touch
from test_envs.pools import make
from test_envs.threads import interrupted

pytestmark = pytest.mark.own_process(limit=30)

SIZES = pytest.mark.parametrize("batch_size", [4, 2])


@SIZES
def test_row_03_04_send_twice_and_two_thousand_times(batch_size: int) -> None:
    pool = reset_all(make(num_envs=4, batch_size=batch_size, num_threads=2))
    pool.send([1] * 4, [0, 1, 2, 3])
    batches = pool.stats()["batches"]
    for ids in ([0, 1, 2, 3], [3]):
        for _ in range(1000):
            with refused(AlreadyPendingError, f"environment {ids[0]}", "recv()"):
                pool.send([1] * len(ids), ids)
    assert pool.stats()["batches"] == batches
    for batch in recv_all(pool):
        assert batch[0].tolist() == [1] * batch_size
    with refused(NothingPendingError):
        pool.recv()


@SIZES
def test_row_06_async_reset_repeatedly(batch_size: int) -> None:
    pool = make(num_envs=4, batch_size=batch_size, num_threads=2)
    pool.async_reset()
    for _ in range(100):
        with refused(AlreadyPendingError, "environment 0"):
            pool.async_reset()
    recv_all(pool)
    for _ in range(100):
        pool.async_reset()
        for batch in recv_all(pool):
            assert batch[0].tolist() == [0] * batch_size


@SIZES
def test_row_08_recv_with_nothing_pending(batch_size: int) -> None:
    for env_type in ("gymnasium", "gym", "dm"):
        pool = make(env_type=env_type, num_envs=4, batch_size=batch_size, num_threads=2)
        for timeout in (None, 0, 1e6):
            with refused(NothingPendingError, "send() or async_reset() first"):
                pool.recv(timeout=timeout)
        reset_all(pool)
        with refused(NothingPendingError):
            pool.recv()
        if batch_size == 2:
            pool.send(np.array([0]), [0])
            with refused(NothingPendingError, "wait for 2 rows", "only 1"):
                pool.recv()


@pytest.mark.parametrize("batch_size", [1, 2])
def test_send_does_not_wait_for_a_first_step_whatever_resets_took(batch_size: int) -> None:
    """Resets that take no time say nothing of steps: one that is long is for the pool's threads."""
    with (
        tempfile.TemporaryDirectory() as folder,
        faulty(num_envs=2, batch_size=batch_size, num_threads=2, release=f"{folder}/go") as pool,
    ):
        for _ in range(20):
            reset_all(pool)
        pool.send([HANGS, FINE], [0, 1])
        touch(f"{folder}/go")
        recv_all(pool)


@pytest.mark.serial
@pytest.mark.parametrize(
    ("batch_size", "threads", "step_timeout"), [(1, 2, None), (2, 2, 60), (2, 1, 60)]
)
def test_row_09_ctrl_c_during_a_blocked_recv(
    batch_size: int, threads: int, step_timeout: float | None
) -> None:
    """Workers step, the caller waits: at once. A pool with step_timeout is such a pool too."""
    arguments = {"num_threads": threads, "slow_ms": 1500, "step_timeout": step_timeout}
    pool = reset_all(faulty(num_envs=2, batch_size=batch_size, **arguments))
    pool.send([SLOW] * 2, [0, 1])
    # 100 ms, and as much again for a machine that is busy with other things.
    assert interrupted(pool.recv) < 0.2
    with refused(AlreadyPendingError):
        pool.send([FINE] * 2, [0, 1])
    for batch in recv_all(pool):
        assert batch[0][:, 0].tolist() == [1] * batch_size


@pytest.mark.serial
def test_row_09_ctrl_c_between_two_environments_of_the_callers_own() -> None:
    """One thread, which is the caller: heard when the environment in hand is done."""
    pool = faulty(num_envs=30, num_threads=1, slow_ms=50)
    pool.reset()
    assert interrupted(lambda: pool.step([SLOW] * 30)) < 0.25
    assert pool.recv()[0][:, 0].tolist() == [1] * 30
    assert pool.step([FINE] * 30)[0][:, 0].tolist() == [2] * 30


def test_row_10_a_tail_that_fills_no_batch() -> None:
    """5 environments in batches of 2: recv says that it would wait for ever, and never does."""
    pool = make(num_envs=5, batch_size=2, num_threads=2)
    pool.async_reset()
    seen = np.concatenate([pool.recv()[4]["env_id"] for _ in range(2)])
    with refused(NothingPendingError, "wait for 2 rows", "only 1"):
        pool.recv()
    # The fifth comes with the next one that is sent.
    pool.send([1], seen[:1])
    ids = pool.recv()[4]["env_id"]
    assert sorted([*seen, *ids]) == sorted([0, 1, 2, 3, 4, seen[0]])
    with refused(OptionError, "batch_size is 6", "only 5"):
        make(num_envs=5, batch_size=6)


@SIZES
def test_row_18_step_before_reset(batch_size: int) -> None:
    for env_type in ("gymnasium", "gym", "dm"):
        pool = make(env_type=env_type, num_envs=4, batch_size=batch_size, num_threads=2)
        with refused(ResetNeeded, "environment 0 was never reset"):
            pool.step(np.zeros(4, int))
        for saves in (pool.get_state, partial(pool.clone, 0, [1])):
            with refused(ResetNeededError, "environment 0 was never reset, so it cannot be saved"):
                saves()
        pool.async_reset([0, 1])
        pool.recv()
        with refused(ResetNeededError, "environment 2 was never reset"):
            pool.send(np.zeros(4, int), [0, 1, 2, 3])
        pool.send(np.zeros(2, int), [0, 1])
        pool.recv()
