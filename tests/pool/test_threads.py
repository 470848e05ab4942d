"""Libraries that several threads use. Each test in a process of its own."""

import os
import tempfile
import warnings
from pathlib import Path

import pytest
from parallel_pool import _core
from test_envs.pools import make
from test_envs.threads import in_threads

pytestmark = pytest.mark.own_process


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


def test_pools_that_a_thread_steps_in_turn_are_all_measured() -> None:
    """Of brief steps only some are."""
    pools = [make(num_envs=4, num_threads=1) for _ in range(2)]
    seen: list[set[float]] = [set(), set()]
    for pool in pools:
        pool.reset()
    for _ in range(400):
        for pool, estimates in zip(pools, seen, strict=True):
            pool.step([0] * 4)
            estimates.add(pool.stats()["nanoseconds_per_env_step"])
    for pool in pools:
        pool.close()
    assert all(10 < len(estimates) < 200 for estimates in seen)
