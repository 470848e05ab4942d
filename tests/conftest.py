"""Plugins for tests, compiled once per session. And tests that need a process of their own."""

import functools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TEST_ENVS = Path(__file__).parent / "test_envs"
sys.path.append(str(TEST_ENVS.parent))
# Worker processes import environments of a test module by its name, which pytest counts from here.
sys.path.append(str(TEST_ENVS.parents[1]))

HANG = 60
"""Seconds after which a process counts as hung; some machines are slow and busy."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "own_process(limit): the test runs in a process of its own, with test_envs.cpp registered, "
        "for at most so many seconds",
    )


@pytest.fixture(scope="session")
def shared_folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all processes that share the tests: what takes long to build is built there once."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if hasattr(request.config, "workerinput") else folder


@pytest.fixture(scope="session")
def compiled(shared_folder: Path) -> Callable[[Path], Path]:
    """Gives the library of a plugin's source."""
    from test_envs.compiling import compile_once

    return functools.partial(compile_once, folder=shared_folder)


@pytest.fixture(scope="session")
def test_envs_library(compiled: Callable[[Path], Path]) -> str:
    """The compiled test_envs.cpp."""
    os.environ["PP_TEST_ENVS"] = str(compiled(TEST_ENVS / "test_envs.cpp"))
    return os.environ["PP_TEST_ENVS"]


@pytest.fixture(scope="session")
def faulty_library(compiled: Callable[[Path], Path]) -> str:
    """The compiled environments that misbehave by order; see faulty_pools."""
    os.environ["PP_FAULTY"] = str(compiled(TEST_ENVS / "faulty.cpp"))
    return os.environ["PP_FAULTY"]


@pytest.fixture(scope="session")
def test_envs(test_envs_library: str) -> None:
    """The environments of test_envs.cpp can be made."""
    from test_envs import pools

    pools.register_test_envs()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test marked own_process as a process that must end well and in time.

    Its parameters must be plain data; of fixtures it may only have those of the module's marks.
    """
    marker = pyfuncitem.get_closest_marker("own_process")
    if marker is None:
        return None
    parameters = pyfuncitem.callspec.params if hasattr(pyfuncitem, "callspec") else {}
    command = [
        sys.executable,
        "-X",
        "faulthandler",
        "-W",
        "error",
        str(TEST_ENVS / "own_process.py"),
        str(pyfuncitem.path),
    ]
    with subprocess.Popen(
        [*command, pyfuncitem.function.__name__, json.dumps(parameters)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=marker.kwargs.get("limit", HANG))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGABRT)
            output, errors = process.communicate()
            pytest.fail(f"hung\n{output}\n{errors}", pytrace=False)
    if process.returncode != 0 or not output.endswith("passed\n"):
        pytest.fail(f"exit status {process.returncode}\n{output}\n{errors}", pytrace=False)
    if output != "passed\n":
        print(output)
    return True
