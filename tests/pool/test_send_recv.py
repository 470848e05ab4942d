"""What comes while a pool waits: rows in the order of finishing, or of sending; conversions, signals.

What is refused: rows 3 to 10 and 18 of the fault matrix (tests/faults). Which rows an answer has: tests/model.
"""

import os
import signal
import threading
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import AlreadyPendingError, NothingPendingError
from test_envs.checks import recv_all, refused, reset_all
from test_envs.pools import begun, make


@pytest.mark.parametrize("name", ["Sleepy", "SleepyLate"])
def test_an_asynchronous_pool_answers_in_the_order_of_finishing(name: str) -> None:
    with reset_all(make(name, num_envs=3, batch_size=1, num_threads=2)) as pool:
        assert pool.is_async
        # Work that was short so far is done at once by the sender; LATE_ROWS says it may not be.
        if name == "Sleepy":
            pool.send([30, 30, 30])
            recv_all(pool)
        pool.send([1500, 0, 0], env_id=[0, 1, 2])
        order = [pool.recv()[4]["env_id"].tolist() for _ in range(3)]
        assert order[-1] == [0]
        assert sorted(order[:2]) == [[1], [2]]


@pytest.mark.parametrize("batch_size", [3, 1])
def test_actions_whose_conversion_uses_the_pool(batch_size: int) -> None:
    """Python code runs while an action is converted; it may send, or another thread may."""
    with reset_all(make(num_envs=3, batch_size=batch_size, max_count=100)) as pool:

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
    pool = reset_all(make("SleepyLate", num_envs=2, batch_size=1, num_threads=2))
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


@pytest.mark.parametrize(
    ("timeout", "error"),
    [(10**400, ValueError), (-1, ValueError), (float("nan"), ValueError), ("soon", TypeError)],
)
def test_what_is_no_timeout_is_refused(timeout: Any, error: type[Exception]) -> None:
    with begun(make(num_envs=2)) as pool:
        pool.send([0, 0])
        with pytest.raises(error):
            pool.recv(timeout=timeout)
        assert pool.recv(timeout=float("inf"))[0].tolist() == [1, 1]


ORDERED: dict[str, Any] = {"num_envs": 10, "batch_size": 4, "seed": 2}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ["Sleepy", "Count"])
def test_batches_come_in_the_order_of_sending(name: str, threads: int) -> None:
    """Whatever takes long: environments that sleep, and batch kernels cut at the ends of batches."""
    rng = np.random.default_rng(0)
    with make(name, batch_order="oldest", num_threads=threads, **ORDERED) as pool:
        pool.async_reset()
        sent = list(range(10))
        for _ in range(60):
            *_, info = pool.recv()
            ids = info["env_id"].tolist()
            assert ids == sent[:4]
            del sent[:4]
            rng.shuffle(ids)
            pool.send(rng.integers(0, 2, len(ids)), ids)
            sent += ids


@pytest.mark.parametrize(("order", "bound"), [("oldest", 2), ("first", None)])
def test_ages_are_counted_and_bounded(order: str, bound: int | None) -> None:
    rng = np.random.default_rng(0)
    with make("Sleepy", batch_order=order, **ORDERED) as pool:
        pool.async_reset()
        for _ in range(100):
            *_, info = pool.recv()
            pool.send(rng.integers(0, 4, 4), info["env_id"])  # milliseconds
        stats = pool.stats()
        assert 0 < stats["mean_age"] <= stats["most_age"]
        if bound is not None:
            assert stats["most_age"] <= bound
        assert stats["seconds_waited"] > 0
        assert len(stats["seconds_slept"]) == pool.config["num_threads"]


def test_a_synchronous_pool_has_no_ages() -> None:
    with begun(parallel_pool.make("CartPole-v1", num_envs=3, batch_order="oldest")) as pool:
        assert "mean_age" not in pool.stats()
