"""Pools of Python environments, with workers of either kind."""

from functools import partial

import gymnasium
import parallel_pool
import pytest
from test_envs.odd_spaces import ODD, Odd
from test_envs.pools import register_python
from test_envs.python_envs import Drawn, Make, Rich, Slow

register_python(ODD, Odd)

CALLERS_SIDE = ("joined_infos", "object_spaces", "odd_infos", "seeds")
"""Modules about what the calling process makes of answers. What crosses between processes is in the others."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "make" in metafunc.fixturenames:
        marks = [pytest.mark.slow] if metafunc.module.__name__.endswith(CALLERS_SIDE) else []
        workers = [pytest.param("process", marks=marks), "thread"]
        metafunc.parametrize("make", workers, indirect=True)


@pytest.fixture
def make(request: pytest.FixtureRequest) -> Make:
    """`parallel_pool.make`, with workers of either kind: one, where a test does not ask for more.

    A process starts Python and imports Gymnasium, which takes nearly a CPU second.
    """
    return partial(parallel_pool.make, isolation=request.param, num_threads=1)


@pytest.fixture(scope="session")  # the serial tests of this file come later
def task_id() -> str:
    return register_python("python/Rich-v1", Rich)


@pytest.fixture(scope="session")  # the serial tests of this file come later
def drawn() -> str:
    gymnasium.register("Drawn-v0", Drawn, max_episode_steps=50)
    return "gym:Drawn-v0"


@pytest.fixture(scope="session")  # the serial tests of this file come later
def slow() -> str:
    gymnasium.register("Slow-v0", Slow)
    return "gym:Slow-v0"
