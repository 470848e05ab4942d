"""Workers in a process that is not as processes usually are. They work, or say what is wrong."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES
from test_envs.programs import ran

BOTH = """
import os, sys
sys.path.insert(0, os.environ["PP_TESTS"])
from test_envs.pools import register_test_envs
import numpy as np
import parallel_pool
import resource
def used():
    return int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()
def use():
    register_test_envs()
    for task_id in ("test/Walk-v0", "gym:CartPole-v1"):
        with parallel_pool.make(task_id, num_envs=2, num_threads=1, isolation="process") as pool:
            pool.reset()
            pool.step(np.zeros(2, int))
"""


def run(
    program: str, under: Sequence[str] = (), **variables: str
) -> subprocess.CompletedProcess[str]:
    """Where the tests are known."""
    return ran("-c", BOTH + program, under=under, PP_TESTS=str(SOURCES.parent), **variables)


def works(program: str, under: Sequence[str] = ()) -> None:
    done = run(program, under)
    assert done.returncode == 0 and not done.stderr, done.stderr


def fails(program: str, *parts: str, **variables: str) -> None:
    done = run(program, **variables)
    assert done.returncode == 1, done.stderr
    for part in parts:
        assert part in done.stderr


@pytest.mark.parametrize("streams", [(2,), (0, 1, 2)])
def test_finding_09_standard_streams_are_closed(streams: tuple[int, ...], tmp_path: Path) -> None:
    """The result goes into a file."""
    end = f"use(); open({str(tmp_path / 'done')!r}, 'w').write('fine'); os._exit(0)"
    closing = " ".join(f"{number}>&-" if number else "<&-" for number in streams)
    run(end, under=["sh", "-c", f'exec "$0" "$@" {closing}'])
    assert (tmp_path / "done").read_text() == "fine"


IN_A_MOUNT = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
FULL = "mount -t tmpfs -o size=64k none /dev/shm; ! head -c 1M /dev/zero 2>&- >/dev/shm/full"


def can_mount() -> bool:
    """Root may, and elsewhere users who may have a name space of their own."""
    return (
        shutil.which("unshare") is not None
        and subprocess.run([*IN_A_MOUNT, FULL], capture_output=True).returncode == 0
    )


def test_finding_07_12_15_what_does_not_matter_and_limits_that_are_named() -> None:
    """A path in the search path, a directory that is gone, limits, and where it can be a full /dev/shm: memory
    that is shared has no name.
    """
    program = """
import pathlib, shutil, tempfile, traceback
sys.path += [pathlib.Path("/nowhere")]
gone = tempfile.mkdtemp()
os.chdir(gone)
shutil.rmtree(gone)
resource.setrlimit(resource.RLIMIT_STACK, (256 << 10,) * 2)
resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
use()
for limit, value, message in (
    (resource.RLIMIT_NOFILE, 7, "Too many open files"),
    (resource.RLIMIT_FSIZE, 1 << 19, "File too large"),  # as where a tmpfs is full
    (resource.RLIMIT_AS, used() + (1 << 20), "annot allocate memory"),
):
    before = resource.getrlimit(limit)
    resource.setrlimit(limit, (value, before[1]))
    said = ""
    try:
        use()
    except Exception as error:
        resource.setrlimit(limit, before)
        said = "".join(traceback.format_exception(error))
    assert message in said, (message, said)
use()
"""
    works(program, under=[*IN_A_MOUNT, f'{FULL} && exec "$0" "$@"'] if can_mount() else [])


def test_finding_12_no_memory() -> None:
    """The error names what helps, and the process goes on. Far too many are refused before anything is made.

    Of threads the system says that a resource is unavailable, and means their stacks.
    """
    works("""
first = used()
register_test_envs()
parallel_pool.make("test/Walk-v0").close()  # imports what pools need
resource.setrlimit(resource.RLIMIT_AS, (first + (280 << 20), resource.RLIM_INFINITY))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for num_envs in (10**7, 10**6):
    try:
        parallel_pool.make("test/Walk-v0", num_envs=num_envs)
    except (MemoryError, parallel_pool.EnvBuildError) as error:
        assert "out of memory" in str(error), error
    else:
        raise AssertionError("there was memory")
    if num_envs > 10**6:
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (20 << 10)
    with parallel_pool.make("test/Walk-v0", num_envs=2) as pool:
        pool.reset()
resource.setrlimit(resource.RLIMIT_AS, (used() + (4 << 20), resource.RLIM_INFINITY))
try:
    parallel_pool.make("test/Walk-v0", num_envs=8, num_threads=4)
except ValueError as error:
    assert " of 3 threads (Resource temporarily unavailable)" in str(error), error
    assert "memory for their stacks (`ulimit -v`)" in str(error), error
else:
    raise AssertionError("there was memory")
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
use()
""")


def test_finding_12_no_memory_to_share(compiled: Callable[[Path], Path]) -> None:
    said = ("EnvBuildError", "no shared memory of ", "No space left on device")
    fails("use()", *said, LD_PRELOAD=str(compiled(SOURCES / "no_space.c")))


@pytest.fixture
def readable_library(test_envs_library: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield shutil.copy(test_envs_library, folder)


NOBODY = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
    *(f"--{which}=-all,+dac_read_search" for which in ("inh-caps", "ambient-caps", "bounding-set")),
]
"""Root may have any number of processes. Another user may not, but has to find Python."""


def test_finding_12_no_more_processes(readable_library: str) -> None:
    program = """
register_test_envs()
POOLS = (
    ("test/Walk-v0", {"isolation": "process"}),
    ("gym:CartPole-v1", {}),
    ("gym:CartPole-v1", {"isolation": "thread"}),
    ("test/Walk-v0", {"num_threads": 2}),
)
for id, arguments in POOLS:
    parallel_pool.make(id, num_envs=2, **{"num_threads": 1, **arguments}).close()
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
for id, arguments in POOLS:
    try:
        parallel_pool.make(id, num_envs=2, **arguments)
    except Exception as error:
        print(type(error).__name__, error)
"""
    under = NOBODY if os.geteuid() == 0 else []
    done = run(program, under=under, PP_TEST_ENVS=readable_library)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == 4 and all("`ulimit -u`" in each for each in said), said
    assert said[0].startswith("EnvBuildError cannot start a worker process")
    assert said[1].startswith("EnvBuildError cannot start a worker process")
    assert said[2].startswith("EnvBuildError cannot start a worker thread: ")
    assert said[3].startswith("ValueError the system gave 0 of 1 threads")


def test_finding_15_no_interpreter() -> None:
    gone = "from multiprocessing import set_executable; sys.executable = ''; set_executable('')"
    fails(f"{gone}; use()", "multiprocessing.set_executable")
