"""What is on its way: send, recv, async_reset, in synchronous and asynchronous pools."""

from typing import Any

import numpy as np
import pytest
from parallel_pool import AlreadyPendingError, NothingPendingError, ResetNeededError
from test_envs.checks import assert_works, refused
from test_envs.pools import make


def test_a_synchronous_pool_answers_in_the_order_of_the_questions() -> None:
    with make(num_envs=4, max_count=100) as pool:
        assert not pool.is_async
        pool.reset()
        pool.send([1, 2], env_id=[3, 0])
        pool.send([0, 1], env_id=[1, 2])
        for ids, rewards in (([3, 0], [1, 2]), ([1, 2], [0, 1])):
            _, reward, _, _, info = pool.recv()
            assert info["env_id"].tolist() == ids
            assert reward.tolist() == rewards


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


def test_batches_fill_up_with_whoever_is_ready() -> None:
    with make("SleepyLate", num_envs=3, batch_size=2, num_threads=2) as pool:
        pool.async_reset()
        first = pool.recv()[4]["env_id"]
        pool.send(np.zeros(2, int), first)
        seen: set[int] = set(first.tolist())
        for _ in range(10):
            obs, _, _, _, info = pool.recv()
            assert len(obs) == 2
            assert len(set(info["env_id"].tolist())) == 2
            seen |= set(info["env_id"].tolist())
            pool.send([0, 0], info["env_id"])
        assert seen == {0, 1, 2}


def test_a_slow_environment_holds_up_nobody() -> None:
    with make("SleepyLate", num_envs=3, batch_size=1, num_threads=2) as pool:
        pool.async_reset()
        for _ in range(3):
            pool.recv()
        pool.send([1500, 0], env_id=[0, 1])
        for _ in range(50):
            obs, *_, info = pool.recv()
            assert info["env_id"].tolist() == [1]
            pool.send([0], env_id=[1])
        assert obs[0] == 50


@pytest.mark.parametrize("batch_size", [4, 2])
def test_sending_twice_is_refused_and_changes_nothing(batch_size: int) -> None:
    with make(num_envs=4, batch_size=batch_size, max_count=100) as pool:
        pool.async_reset()
        for _ in range(4 // batch_size):
            pool.recv()
        pool.send([1] * 4, env_id=[0, 1, 2, 3])
        for ids in ([2], [0, 1, 2, 3]):
            with refused(AlreadyPendingError, f"environment {ids[0]} has a result", "recv()"):
                pool.send([2] * len(ids), env_id=ids)
            with refused(AlreadyPendingError, f"environment {ids[0]} has a result", "recv()"):
                pool.reset(ids)
        with refused(AlreadyPendingError, "environment 0"):
            pool.async_reset()
        for _ in range(4 // batch_size):
            obs, reward, *_ = pool.recv()
            assert obs.tolist() == reward.tolist() == [1] * batch_size
        with pytest.raises(NothingPendingError):
            pool.recv()


@pytest.mark.parametrize("batch_size", [4, 2])
def test_thousands_of_sends_without_recv_keep_memory_bounded(batch_size: int) -> None:
    with make(num_envs=4, batch_size=batch_size) as pool:
        pool.async_reset()
        batches = pool.stats()["batches"]
        for _ in range(2000):
            with refused(AlreadyPendingError, "environment 0"):
                pool.send(np.zeros(4, int))
            with refused(AlreadyPendingError, "environment 0"):
                pool.async_reset()
        assert pool.stats()["batches"] == batches
        for _ in range(4 // batch_size):
            assert (pool.recv()[0] == 0).all()


@pytest.mark.parametrize("batch_size", [4, 2])
def test_recv_with_nothing_on_its_way_is_refused(batch_size: int) -> None:
    with make(num_envs=4, batch_size=batch_size) as pool:
        for _ in range(2):
            with refused(NothingPendingError, "nothing is on its way", "send()"):
                pool.recv()
            pool.async_reset()
            for _ in range(4 // batch_size):
                pool.recv()


def test_recv_of_the_tail_says_what_is_missing() -> None:
    with make(num_envs=5, batch_size=2, max_count=100) as pool:
        pool.async_reset()
        ids = [pool.recv()[4]["env_id"] for _ in range(2)]
        with refused(
            NothingPendingError,
            "wait for 2 rows",
            "only 1 are on their way",
            "recv(min_batch=1, max_batch=2)",
        ):
            pool.recv()
        pool.send([0], env_id=ids[0][:1])
        assert len(pool.recv()[0]) == 2


@pytest.mark.parametrize("batch_size", [2, 1])
def test_a_step_before_the_first_reset_is_refused(batch_size: int) -> None:
    with make(num_envs=2, batch_size=batch_size) as pool:
        for ids in (None, [1]):
            env = 0 if ids is None else 1
            with refused(ResetNeededError, f"environment {env} was never reset", "reset()"):
                pool.send([0] * (2 if ids is None else 1), env_id=ids)
        if batch_size == 2:
            assert_works(pool)


def test_environments_start_one_by_one() -> None:
    with make(num_envs=3) as pool:
        pool.reset([1])
        pool.step([0], env_id=[1])
        with refused(ResetNeededError, "environment 0 was never reset"):
            pool.step([0, 0, 0])
        assert_works(pool)


@pytest.mark.parametrize("call", ["step", "reset"])
def test_step_and_reset_do_not_answer_for_an_earlier_send(call: str) -> None:
    """In a synchronous pool their answer belongs to their question."""
    with make(num_envs=2, max_count=100) as pool:
        pool.reset()
        pool.send([1], env_id=[0])
        with refused(AlreadyPendingError, "recv()"):
            pool.step([2], [1]) if call == "step" else pool.reset([1])
        assert pool.recv()[4]["env_id"].tolist() == [0]
        assert_works(pool)


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
def test_actions_whose_conversion_closes_the_pool() -> None:
    from parallel_pool import ClosedPoolError

    pool = make(num_envs=3)
    pool.reset()

    class Closer:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            pool.close()
            return np.zeros(3, int)

    with refused(ClosedPoolError, "closed"):
        pool.step(Closer())
