"""States saved and restored while others work: asynchronous pools, several threads, another process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from parallel_pool import AlreadyPendingError
from test_envs import compiling
from test_envs.checks import refused
from test_envs.pools import make
from test_envs.states import equal
from test_envs.threads import in_threads


def test_work_in_flight_is_refused() -> None:
    with make("SleepyLate", num_envs=2) as pool:
        pool.reset()
        states = pool.get_state()
        pool.send([100, 0])
        for use in (
            pool.get_state,
            lambda: pool.get_state([1]),
            lambda: pool.set_state([0], states[:1]),
            lambda: pool.clone(0, [1]),
        ):
            with refused(AlreadyPendingError, "recv()"):
                use()
        pool.recv()
        pool.set_state([0], states[:1])
        assert pool.step([0, 0])[0].tolist() == [1, 2]


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


CHILD = """
import os, pickle, sys
import numpy as np
sys.path.insert(0, os.environ["PP_TESTS"])
from test_envs import pools
pools.register_test_envs()
name, states, seed = pickle.loads(sys.stdin.buffer.read())
pool = pools.make(name, num_envs=len(states), seed=seed, max_episode_steps=30)
pool.set_state(None, states)
draw = np.random.default_rng(0)
out = [pool.step(draw.integers(0, 3, len(pool))) for _ in range(200)]
sys.stdout.buffer.write(pickle.dumps(out))
"""


@pytest.mark.parametrize("name", ["Walk", "WalkBatch", "Memory"])
def test_another_process(name: str) -> None:
    with make(name, num_envs=5, seed=1, max_episode_steps=30) as pool:
        pool.reset()
        for step in range(10):
            pool.step(np.arange(5) * step % 3)
        given = pickle.dumps((name, pool.get_state(), 99))
        environment = {**os.environ, "PP_TESTS": str(compiling.SOURCES.parent)}
        child = subprocess.run(
            [sys.executable, "-c", CHILD],
            input=given,
            capture_output=True,
            env=environment,
            check=False,
        )
        assert child.returncode == 0, child.stderr.decode()
        draw = np.random.default_rng(0)
        for got in pickle.loads(child.stdout):
            equal(got, pool.step(draw.integers(0, 3, 5)))
