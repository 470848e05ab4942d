"""Row 7 of the fault matrix: any number of threads on one pool, whatever it runs in and whatever they call.

Each environment's rows are those of a pool that one thread steps in lockstep; what else a thread may get is an
error that is documented.
"""

import random
import threading
import time
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import AlreadyPendingError, ClosedPoolError, NothingPendingError
from test_envs.pools import make
from test_envs.threads import in_threads

pytestmark = pytest.mark.own_process(limit=120)

NUM_ENVS = 6
MOST = 400
"""Rows of one environment."""

BACKENDS: dict[str, dict[str, Any]] = {
    "native": {"num_threads": 2},
    "native, lanes": {"name": "WalkLanes", "num_threads": 2},
    "native, asynchronous": {"num_threads": 2, "batch_size": 2},
    "watched": {"num_threads": 2, "step_timeout": 60},
    "processes": {"num_threads": 2, "isolation": "process", "name": "WalkLate"},
    "one process": {"num_threads": 1, "isolation": "process", "name": "WalkBatch"},
    "processes, asynchronous": {
        **{"num_threads": 2, "isolation": "process", "batch_size": 2, "name": "WalkLanes"}
    },
    "Python": {"num_threads": 2, "name": "gym"},
    "Python, asynchronous": {"num_threads": 2, "name": "gym", "batch_size": 2},
    "Python in threads": {"num_threads": 2, "name": "gym", "isolation": "thread"},
}


def pool_of(name: str = "Walk", **arguments: Any) -> Any:
    if name == "gym":
        return parallel_pool.make("gym:CartPole-v1", num_envs=NUM_ENVS, seed=3, **arguments)
    return make(name, num_envs=NUM_ENVS, seed=3, **arguments)


def is_reset(row: int) -> bool:
    return row % 13 == 0


def actions(envs: list[int], row: int) -> Any:
    return np.array([(7 * env + 3 * row + env * row) % 2 for env in envs])


def lockstep(name: str = "Walk", **_: Any) -> list[list[tuple[Any, ...]]]:
    rows = []
    with pool_of(name, num_threads=1) as pool:
        envs = list(range(NUM_ENVS))
        for row in range(MOST):
            if is_reset(row):
                obs, _ = pool.reset()
                rows.append([(each.tolist(), 0.0, False, False) for each in obs])
            else:
                columns = pool.step(actions(envs, row))[:4]
                rows.append(list(zip(*(each.tolist() for each in columns), strict=True)))
    return rows


class Crowd:
    """The threads of one pool, and what each environment has answered so far."""

    def __init__(self, pool: Any, expected: list[list[tuple[Any, ...]]]) -> None:
        self.pool = pool
        self.expected = expected
        self.mutex = threading.Lock()
        self.idle = {env: 0 for env in range(NUM_ENVS)}  # and how many rows it has had
        self.busy: dict[int, int] = {}
        self.received = 0

    def take(self, draws: random.Random, most: int) -> tuple[list[int], int]:
        """Idle environments that have had as many rows."""
        with self.mutex:
            ready = [(env, row) for env, row in self.idle.items() if row < MOST]
            if not ready:
                return [], 0
            row = draws.choice(ready)[1]
            envs = [env for env, its in ready if its == row]
            envs = draws.sample(envs, min(len(envs), draws.randint(1, most)))
            for env in envs:
                self.busy[env] = self.idle.pop(env)
            return envs, row

    def give_back(self, envs: list[int], more: int = 0) -> None:
        with self.mutex:
            for env in envs:
                self.idle[env] = self.busy.pop(env) + more
            self.received += more * len(envs)

    def check(self, result: tuple[Any, ...]) -> None:
        *columns, info = result
        envs = info["env_id"].tolist()
        for env, *got in zip(envs, *(each.tolist() for each in columns), strict=True):
            wanted = self.expected[self.busy[env]][env][: len(got)]
            assert tuple(got) == wanted, f"environment {env}: {got}, expected {wanted}"
        self.give_back(envs, 1)

    def send(self, draws: random.Random) -> None:
        """With or without waiting for the answer, which another thread may get."""
        envs, row = self.take(draws, 3)
        if not envs:
            time.sleep(0)
            return
        at_once = draws.random() < 0.3
        try:
            if is_reset(row) and at_once:
                self.check(self.pool.reset(envs))
            elif is_reset(row):
                self.pool.async_reset(envs)
            elif at_once and not self.pool.is_async:
                self.check(self.pool.step(actions(envs, row), envs))
            else:
                self.pool.send(actions(envs, row), envs)
        except AlreadyPendingError:  # of others, whose answers come first
            self.give_back(envs)
        except NothingPendingError:  # another thread has the answer
            time.sleep(0)

    def receive(self, draws: random.Random) -> None:
        try:
            self.check(self.pool.recv(timeout=draws.choice([0, 0.001, 0.01])))
        except (TimeoutError, NothingPendingError):
            time.sleep(0)

    def look(self, draws: random.Random) -> None:
        """A state is saved and restored, which changes nothing."""
        time.sleep(0.001)
        envs, row = self.take(draws, 2)
        if envs and row > 0:
            self.pool.set_state(envs, self.pool.get_state(envs))
        self.give_back(envs)

    def play(self, rows: int) -> None:
        """Until so many rows are received; then the pool is closed, with all threads at work."""
        ended = []

        def until_closed(turn: Any, seed: int) -> None:
            draws = random.Random(seed)
            try:
                while True:
                    turn(draws)
                    if self.pool._pool.closed:
                        self.pool.recv(timeout=0)
            except ClosedPoolError:
                ended.append(seed)

        def close() -> None:
            began = time.monotonic()
            while self.received < rows and time.monotonic() - began < 100:
                time.sleep(0.001)
            self.pool.close()

        turns = [self.send, self.receive, self.look, self.send, self.receive]
        work = [
            lambda turn=turn, seed=seed: until_closed(turn, seed) for seed, turn in enumerate(turns)
        ]
        in_threads(close, *work)
        assert sorted(ended) == list(range(len(turns)))
        assert self.received >= rows


@pytest.mark.parametrize(
    ("times", "rows"), [(1, 400), pytest.param(10, 1500, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("backend", list(BACKENDS))
def test_row_07_every_row_is_that_of_the_lockstep_pool(backend: str, times: int, rows: int) -> None:
    arguments = BACKENDS[backend]
    expected = lockstep(**arguments)
    for _ in range(times):
        Crowd(pool_of(**arguments), expected).play(rows)
