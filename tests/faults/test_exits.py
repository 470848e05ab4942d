"""A process ends with the status that it would have without us, and says nothing of ours, whatever its
threads are doing."""

import itertools

import pytest
from test_envs.compiling import SOURCES
from test_envs.ending import BACKENDS, CALLS, STATUS
from test_envs.programs import ran

FEW = [
    ("native", "step", "end"),
    ("asynchronous", "recv", "exit"),
    ("isolated", "step", "handler"),
    ("python", "recv", "raise"),
    ("threads", "step", "end"),
    ("native", "make", "os_exit"),
    ("python", "states", "library"),
    ("native", "step", "other_thread"),
]
ALL = [
    pytest.param(*each, run, marks=[] if each in FEW and run == 0 else [pytest.mark.slow])
    for each in itertools.product(BACKENDS, CALLS, STATUS)
    for run in range(2)
]


@pytest.mark.parametrize(("backend", "call", "way", "run"), ALL)
def test_finding_03_exits(backend: str, call: str, way: str, run: int) -> None:
    done = ran("-m", "test_envs.ending", backend, call, way, PYTHONPATH=str(SOURCES.parent))
    said = done.stderr.splitlines()
    if way == "raise":
        assert said.pop() == "RuntimeError: the main thread's own"
        assert said[0] == "Traceback (most recent call last):"
        assert all("parallel_pool" not in line for line in said)
        said = []
    assert (done.returncode, said, done.stdout) == (STATUS[way], [], "")


def test_finding_03_environments_in_threads_are_closed_before_the_end() -> None:
    """Their threads come back, though those that call do not."""
    program = """
import gymnasium, parallel_pool
from gymnasium.envs.classic_control import CartPoleEnv

class Closing(CartPoleEnv):
    def close(self):
        print("closed", flush=True)

gymnasium.register("Closing-v0", Closing)
pool = parallel_pool.make("gym:Closing-v0", num_envs=2, isolation="thread")
pool.reset()
"""
    done = ran("-c", program)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["closed"] * 3  # that which was looked at, and two
