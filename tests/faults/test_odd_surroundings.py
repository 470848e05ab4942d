"""Workers in a process that is not as processes usually are. They work, or say what is wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES

BOTH = """
import os, sys
sys.path.insert(0, os.environ["PP_TESTS"])
from test_envs.pools import register_test_envs
import numpy as np
import parallel_pool
def use():
    register_test_envs()
    for task_id, isolation in (("test/Walk-v0", "process"), ("gym:CartPole-v1", "process")):
        with parallel_pool.make(task_id, num_envs=2, isolation=isolation) as pool:
            pool.reset()
            pool.step(np.zeros(2, int))
"""


def run(program: str, **arguments: object) -> "subprocess.CompletedProcess[str]":
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [sys.executable, "-c", BOTH + program],
        env={**os.environ, "PP_TESTS": str(SOURCES.parent)},
        text=True,
        timeout=60,
        **{"capture_output": True, **arguments},  # type: ignore[call-overload]
    )
    return done


def works(program: str, **arguments: object) -> None:
    done = run(program, **arguments)
    assert (done.returncode, done.stderr or "") == (0, "")


def test_finding_07_a_path_in_the_search_path(test_envs_library: str) -> None:
    works("import pathlib; sys.path += [pathlib.Path('/nowhere')]; use()")


@pytest.mark.parametrize("streams", [(2,), (1, 2), (0, 1, 2)])
def test_finding_09_standard_streams_are_closed(
    test_envs_library: str, streams: tuple[int, ...], tmp_path: Path
) -> None:
    """The result goes into a file."""
    end = f"use(); open({str(tmp_path / 'done')!r}, 'w').write('fine'); os._exit(0)"
    program = f"{BOTH}\n{end}"
    closing = " ".join(f"{number}>&-" if number else "<&-" for number in streams)
    subprocess.run(
        ["sh", "-c", f'exec "$0" -c "$1" {closing}', sys.executable, program],
        env={**os.environ, "PP_TESTS": str(SOURCES.parent)},
        timeout=60,
        check=False,
    )
    assert (tmp_path / "done").read_text() == "fine"


def test_finding_12_few_descriptors(test_envs_library: str) -> None:
    works("import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)); use()")
    done = run("import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (7, 7)); use()")
    assert done.returncode == 1
    assert "Too many open files" in done.stderr


@pytest.mark.parametrize(
    ("limit", "value"), [("RLIMIT_STACK", 256 << 10), ("RLIMIT_MEMLOCK", 0), ("RLIMIT_NPROC", 100)]
)
def test_finding_12_limits_that_do_not_matter(
    test_envs_library: str, limit: str, value: int
) -> None:
    works(f"import resource; resource.setrlimit(resource.{limit}, ({value}, {value})); use()")


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [
        (
            "RLIMIT_FSIZE",
            1 << 19,
            "File too large",
        ),  # memory to share is refused as a full tmpfs is
        ("RLIMIT_AS", "used() + (1 << 20)", "annot allocate memory"),
    ],
)
def test_finding_12_limits_are_named(
    test_envs_library: str, limit: str, value: object, message: str
) -> None:
    done = run(f"""
import resource
def used():
    return int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()
use()
resource.setrlimit(resource.{limit}, ({value}, {value}))
use()
""")
    assert done.returncode == 1, done.stderr
    assert message in done.stderr


def test_finding_15_a_directory_that_is_gone(test_envs_library: str) -> None:
    works("import tempfile, shutil; d = tempfile.mkdtemp(); os.chdir(d); shutil.rmtree(d); use()")


def test_finding_15_no_interpreter(test_envs_library: str) -> None:
    done = run(
        "from multiprocessing import set_executable; sys.executable = ''; set_executable(''); use()"
    )
    assert done.returncode == 1
    assert "multiprocessing.set_executable" in done.stderr
