"""Pools that do not fit in memory are refused when they are made, and those that fit are not."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES

HEAD = """
import resource, sys
import parallel_pool
from parallel_pool import EnvBuildError

parallel_pool.register(parallel_pool.EnvSpec("heavy/Heavy-v0"), library=sys.argv[1])

def make(num_envs, **arguments):
    return parallel_pool.make("heavy/Heavy-v0", num_envs=num_envs, num_threads=2, **arguments)

def allow(megabytes):
    make(64).close()  # imports what pools need
    used = int(open("/proc/self/statm").read().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (used + (megabytes << 20),) * 2)

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is known on Linux only")


@pytest.fixture
def works(compiled: Callable[[Path], Path]) -> Callable[[str], None]:
    """Runs a program in a process of its own."""

    def run(program: str) -> None:
        done = subprocess.run(
            [sys.executable, "-c", HEAD + program, str(compiled(SOURCES / "heavy.cpp"))],
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")

    return run


def test_finding_12_a_pool_that_does_not_fit_is_refused(works: Callable[[str], None]) -> None:
    """With both numbers, and what helps; before much of what is free is taken."""
    works("""
allow(600)
before = peak()
for num_envs in (2000, 10**5):
    try:
        make(num_envs, kilobytes=1024)
    except EnvBuildError as error:
        said = str(error)
    else:
        raise AssertionError("it was made")
    assert said.startswith("the environments of this pool need about "), said
    assert "MiB (`ulimit -d`): make fewer (num_envs)" in said, said
    assert "memory_check=False" in said, said
    if num_envs == 2000:
        assert "need about 1.9" in said or "need about 2" in said, said
        assert peak() < before + 100, (before, peak())
with make(8, kilobytes=1024) as pool:
    pool.reset()
""")


def test_finding_12_whoever_wants_to_try_may(works: Callable[[str], None]) -> None:
    works("""
allow(300)
try:
    make(1000, kilobytes=1024, memory_check=False)
except EnvBuildError as error:
    assert "out of memory" in str(error), error
else:
    raise AssertionError("there was memory")
with make(8, kilobytes=1024) as pool:
    pool.reset()
""")


@pytest.mark.parametrize(
    ("num_envs", "arguments"),
    [
        (500, "kilobytes=1024"),
        (5000, "kilobytes=16, shared_kilobytes=400 << 10"),
        (4000, "env_options=[{'kilobytes': 10 << 10}] * 20 + [{'kilobytes': 1}] * 3980"),
    ],
    ids=["nearly all", "shared", "different"],
)
def test_finding_12_a_pool_that_fits_is_made(
    works: Callable[[str], None], num_envs: int, arguments: str
) -> None:
    works(f"""
allow(600)
with make({num_envs}, {arguments}) as pool:
    pool.reset()
""")
