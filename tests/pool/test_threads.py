"""Several threads use one pool, or many. Each test in a process of its own."""

import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parallel_pool import AlreadyPendingError, _core
from test_envs.checks import assert_works
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
