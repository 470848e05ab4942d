"""Plugins for tests, compiled once per session. And tests that need a process of their own."""

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TEST_ENVS = Path(__file__).parent / "test_envs"
sys.path.append(str(TEST_ENVS.parent))
# Worker processes import environments of a test module by its name, which pytest counts from here.
sys.path.append(str(TEST_ENVS.parents[1]))
from test_envs.forked import Forked  # noqa: E402

HANG = 60
"""Seconds after which a process counts as hung; some machines are slow and busy."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "own_process(limit): the test runs in a process of its own, with test_envs.cpp registered, "
        "for at most so many seconds",
    )


@pytest.fixture
def registry_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry knows nothing that tests have registered; at the end it is the one that was there."""
    from parallel_pool.registry import registry, reset_for_tests

    monkeypatch.setattr("parallel_pool.registry.process._registry", registry())
    reset_for_tests()


@pytest.fixture(scope="session")
def compiled(shared_folder: Path) -> Callable[[Path], Path]:
    """Gives the library of a plugin's source."""
    from test_envs.compiling import compile_once

    return functools.partial(compile_once, folder=shared_folder)


@pytest.fixture(scope="session")
def compilers() -> list[list[str]]:
    """The commands of every compiler that is here, to check sources with."""
    from test_envs.compiling import checking_commands

    return checking_commands()


@pytest.fixture(scope="session")
def test_envs_library(compiled: Callable[[Path], Path]) -> str:
    os.environ["PP_TEST_ENVS"] = str(compiled(TEST_ENVS / "test_envs.cpp"))
    return os.environ["PP_TEST_ENVS"]


@pytest.fixture(scope="session")
def faulty_library(compiled: Callable[[Path], Path]) -> str:
    """The compiled environments that misbehave by order; see faulty_pools."""
    os.environ["PP_FAULTY"] = str(compiled(TEST_ENVS / "faulty.cpp"))
    return os.environ["PP_FAULTY"]


@pytest.fixture(scope="session")
def test_envs(test_envs_library: str) -> None:
    from test_envs import pools

    pools.register_test_envs()


@pytest.fixture(scope="session")
def told(compiled: Callable[[Path], Path]) -> None:
    from test_envs.pools import register_all

    register_all(compiled(TEST_ENVS / "texts.cpp"))


def own_processes() -> Forked:
    """Starts the process that tests marked own_process are forked from."""
    command = [sys.executable, "-X", "faulthandler", "-W", "error"]
    threadless = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # threads do not survive a fork
    return Forked([*command, str(TEST_ENVS / "own_process.py")], threadless)


OWN_PROCESSES = pytest.StashKey[Forked]()


def pytest_unconfigure(config: pytest.Config) -> None:
    if OWN_PROCESSES in config.stash:
        config.stash[OWN_PROCESSES].close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test marked own_process as a process that must end well and in time.

    Its parameters must be plain data; of fixtures it may only have those of the module's marks.
    """
    marker = pyfuncitem.get_closest_marker("own_process")
    if marker is None:
        return None
    stash = pyfuncitem.config.stash
    if OWN_PROCESSES not in stash:
        stash[OWN_PROCESSES] = own_processes()
    status, output, errors = stash[OWN_PROCESSES].run(
        marker.kwargs.get("limit", HANG),
        file=str(pyfuncitem.path),
        function=pyfuncitem.function.__name__,
        parameters=pyfuncitem.callspec.params if hasattr(pyfuncitem, "callspec") else {},
        environment=dict(os.environ),
    )
    if status != 0 or not output.endswith("passed\n"):
        what = "hung" if status is None else f"exit status {status}"
        pytest.fail(f"{what}\n{output}\n{errors}", pytrace=False)
    if output != "passed\n":
        print(output)
    return True
