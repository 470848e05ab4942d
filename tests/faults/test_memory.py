"""Pools that do not fit in memory are refused when they are made, and those that fit are not."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES
from test_envs.programs import ran

HEAD = """
import resource, sys
import parallel_pool
from parallel_pool import EnvBuildError

parallel_pool.register(parallel_pool.EnvSpec("faulty/Heavy-v0"), library=sys.argv[1])

def make(num_envs, **arguments):
    return parallel_pool.make("faulty/Heavy-v0", num_envs=num_envs, num_threads=2, **arguments)

def allow(megabytes):
    make(64).close()  # imports what pools need
    used = int(open("/proc/self/statm").read().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (used + (megabytes << 20),) * 2)

def refusal(num_envs, **arguments):
    try:
        make(num_envs, kilobytes=1024, **arguments)
    except EnvBuildError as error:
        return str(error)
    raise AssertionError("it was made")

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is known on Linux only")


@pytest.fixture
def works(compiled: Callable[[Path], Path]) -> Callable[[str], None]:
    def run(program: str) -> None:
        done = ran("-c", HEAD + program, compiled(SOURCES / "faulty.cpp"))
        assert done.returncode == 0, done.stderr

    return run


def test_finding_12_a_pool_that_does_not_fit_is_refused(works: Callable[[str], None]) -> None:
    """With both numbers, and what helps; before much of what is free is taken."""
    works("""
allow(600)
before = peak()
for num_envs in (2000, 10**5):
    said = refusal(num_envs)
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
said = refusal(1000, memory_check=False)
assert "out of memory" in said, said
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


def own_groups() -> list[tuple[Path, str]]:
    """Folders of the control groups (v1, v2) that limit this process' memory, and the file with the limit."""
    groups = []
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            groups.append((Path(f"/sys/fs/cgroup{path}"), "memory.max"))
        elif "memory" in controllers.split(","):
            groups.append((Path(f"/sys/fs/cgroup/{controllers}{path}"), "memory.limit_in_bytes"))
    return groups


@pytest.fixture
def group() -> Iterator[Path]:
    """A control group that allows 400 MiB."""
    for folder, limit in own_groups():
        made = folder / f"parallel-pool-{os.getpid()}"
        try:
            made.mkdir()
            (made / limit).write_text(str(400 << 20))
        except OSError:
            if made.exists():
                made.rmdir()
            continue
        yield made
        made.rmdir()
        return
    pytest.skip("this process may make no control group that limits memory")


def test_finding_12_the_limit_of_a_container(works: Callable[[str], None], group: Path) -> None:
    works(f"""
import os
open("{group}/cgroup.procs", "w").write(str(os.getpid()))
said = refusal(1000)
assert "(the limit of its container or cgroup): make fewer" in said, said
with make(150, kilobytes=1024) as pool:
    pool.reset()
""")
