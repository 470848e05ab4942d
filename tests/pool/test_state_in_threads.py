"""States saved and restored while others work, in asynchronous pools and in several threads."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from parallel_pool import AlreadyPendingError
from test_envs.pools import make
from test_envs.threads import in_threads


@pytest.mark.parametrize("name", ["Walk", "WalkLanes", "WalkBatch", "WalkLate", "WalkExclusive"])
def test_asynchronous_pools(name: str) -> None:
    """Environments not at work can be saved and restored while others are."""
    n, batch_size = 12, 4
    with (
        make(name, num_envs=n, batch_size=batch_size, num_threads=2, seed=1) as pool,
        make(name, num_envs=n, seed=1) as twin,
    ):
        twin.reset()
        pool.async_reset()
        first: dict[int, bytes] = {}
        turns = 0
        # A thread that the system has put to sleep keeps its environments for many turns of the others.
        while turns < 300 or len(first) < n:
            turns += 1
            *_, info = pool.recv()
            ids = info["env_id"]
            for env, elapsed in zip(ids.tolist(), info["elapsed_step"], strict=True):
                if elapsed == 0 and env not in first:
                    (first[env],) = pool.get_state([env])
                elif env in first and elapsed == 3:
                    pool.set_state([env], [first[env]])
            pool.send(ids % 3, ids)
        for _ in range(n // batch_size):
            pool.recv()
        pool.set_state(np.arange(n), [first[env] for env in range(n)])
        futures: dict[int, list[Any]] = {env: [] for env in range(n)}
        pool.send(np.arange(n) % 3)
        while min(map(len, futures.values())) < 20:
            obs, reward, terminated, _, info = pool.recv()
            for row, env in enumerate(info["env_id"].tolist()):
                futures[env].append((obs[row].tolist(), reward[row], terminated[row]))
            pool.send(info["env_id"] % 3, info["env_id"])
        for step in range(20):
            obs, reward, terminated, *_ = twin.step(np.arange(n) % 3)
            for env in range(n):
                assert futures[env][step] == (obs[env].tolist(), reward[env], terminated[env])


def test_threads_that_step_save_and_restore_one_pool() -> None:
    n = 64
    with make("WalkBatch", num_envs=n, num_threads=2, seed=1) as pool:
        pool.reset()
        states = pool.get_state()
        halves = (np.arange(n // 2), np.arange(n // 2, n))

        def work(ids: npt.NDArray[Any]) -> None:
            seen = set()
            for _ in range(100):
                while True:
                    try:
                        pool.set_state(ids, [states[i] for i in ids])
                        assert pool.get_state(ids) == [states[i] for i in ids]
                        seen.add(pool.step(ids % 3, ids)[0].tobytes())
                        break
                    except AlreadyPendingError:
                        continue  # a synchronous step wants the pool to itself
            assert len(seen) == 1

        in_threads(*(partial(work, ids) for ids in halves))
