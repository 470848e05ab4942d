"""Several threads use one pool, or many. Each test in a process of its own."""

import os
import queue
import resource
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parallel_pool import (
    AlreadyPendingError,
    NothingPendingError,
    _core,
)
from test_envs.checks import assert_works, refused
from test_envs.pools import make
from test_envs.threads import in_threads

pytestmark = pytest.mark.own_process


@pytest.mark.parametrize("action", ["array", "strided", "list"])
@pytest.mark.parametrize("num_threads", [1, 2])
def test_two_threads_that_step_one_pool_get_right_results_or_a_clear_error(
    num_threads: int, action: str
) -> None:
    n = 2000
    pool = make(num_envs=n, max_count=1000000, num_threads=num_threads)
    pool.reset()
    steps: list[int] = []
    # numpy lets other threads run while it copies something large.
    given: Any = {"array": np.ones(n, int), "strided": np.ones(2 * n, np.int16)[::2]}.get(action)
    given = [1] * n if given is None else given

    def play() -> None:
        for _ in range(150):
            try:
                obs, *_, info = pool.step(given)
            except AlreadyPendingError:
                continue
            assert (obs == obs[0]).all()
            assert (info["total"] == obs[0]).all()
            steps.append(int(obs[0]))

    in_threads(play, play, play)
    # Every step happened once and was seen once.
    assert sorted(steps) == list(range(1, len(steps) + 1))
    assert steps
    assert_works(pool)


def test_two_threads_that_step_halves_of_one_pool() -> None:
    pool = make(num_envs=8, max_count=1000000, num_threads=2)
    pool.reset()
    done = {0: 0, 1: 0}

    def play(half: int) -> None:
        ids = np.arange(4 * half, 4 * half + 4)
        while done[half] < 150:
            try:
                obs, *_, info = pool.step([1] * 4, env_id=ids)
            except AlreadyPendingError:
                continue
            assert info["env_id"].tolist() == ids.tolist()
            done[half] += 1
            assert obs.tolist() == [done[half]] * 4

    in_threads(lambda: play(0), lambda: play(1))
    assert done == {0: 150, 1: 150}


def test_one_thread_sends_and_another_receives() -> None:
    n, batch_size, steps = 16, 4, 100
    pool = make("Count", num_envs=n, batch_size=batch_size, num_threads=2, max_count=1000000)
    pool.async_reset()
    ready: queue.SimpleQueue[Any] = queue.SimpleQueue()
    counts = np.zeros(n, int)

    def receive() -> None:
        received = 0
        while received < n * (steps + 1) // batch_size:
            try:
                obs, *_, info = pool.recv()
            except NothingPendingError:  # the sender is behind
                time.sleep(0.001)
                continue
            received += 1
            counts[info["env_id"]] = obs
            ready.put(info["env_id"])

    def send() -> None:
        for _ in range(n * steps // batch_size):
            ids = ready.get()
            pool.send(ids % 3, ids)

    in_threads(receive, send)
    assert counts.sum() == n * steps


def test_many_pools_in_many_threads() -> None:
    def play(seed: int) -> None:
        for batch_size in (8, 4):
            with make("Walk", num_envs=8, batch_size=batch_size, num_threads=2, seed=seed) as pool:
                *_, info = pool.reset()
                for _ in range(50):
                    *_, info = pool.step(info["env_id"] % 3, info["env_id"])

    in_threads(*[lambda seed=seed: play(seed) for seed in range(4)])


@pytest.mark.parametrize("batch_size", [4, 2])
def test_an_exclusive_library_is_never_entered_twice(batch_size: int) -> None:
    """Not by the threads of a pool, not by two pools, not while one is built or closed."""

    def play() -> None:
        for _ in range(3):
            with make("Exclusive", num_envs=4, batch_size=batch_size, num_threads=4) as pool:
                *_, info = pool.reset()
                for _ in range(5):
                    obs, *_, info = pool.step([0] * batch_size, info["env_id"])
                    assert (obs == 0).all(), "two threads were inside"

    warnings.simplefilter("ignore")  # more threads than CPUs
    in_threads(play, play, play)


def test_a_library_has_one_lock_however_it_is_called() -> None:

    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "link.so"
        link.symlink_to(os.environ["PP_TEST_ENVS"])
        assert _core.Plugin(str(link)).path == _core.Plugin(os.environ["PP_TEST_ENVS"]).path


def test_too_many_threads_for_the_system_is_an_error() -> None:
    warnings.simplefilter("ignore")  # more threads than CPUs
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + 256 * 2**20, limits[1]))
    with refused(ValueError, "threads", "num_threads", "ulimit -u"):
        make(num_envs=2000, num_threads=2000)
    resource.setrlimit(resource.RLIMIT_AS, limits)
    assert_works(make(num_envs=4, num_threads=2))
