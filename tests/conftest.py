"""Plugins for tests, compiled once per session. And tests that need a process of their own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.append(str(HERE))  # test_envs
# Worker processes import environments of a test module by its name, which pytest counts from here.
sys.path.append(str(HERE.parent))

HANG = 60
"""Seconds after which a process counts as hung; some machines are slow and busy."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "own_process(limit): the test runs in a process of its own, with test_envs.cpp registered, "
        "for at most so many seconds",
    )


@pytest.fixture(scope="session")
def test_envs_library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The compiled test_envs.cpp."""
    from test_envs import compiling

    path = tmp_path_factory.mktemp("test_envs") / "test_envs.so"
    compiling.compile_plugin(compiling.SOURCES / "test_envs.cpp", path)
    os.environ["PP_TEST_ENVS"] = str(path)
    return str(path)


@pytest.fixture(scope="session")
def faulty_library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The compiled environments that misbehave by order; see faulty_pools."""
    from test_envs import compiling

    path = tmp_path_factory.mktemp("faulty") / "faulty.so"
    compiling.compile_plugin(compiling.SOURCES / "faulty.cpp", path)
    os.environ["PP_FAULTY"] = str(path)
    return str(path)


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
        str(HERE / "test_envs" / "own_process.py"),
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
