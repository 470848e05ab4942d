"""Processes share the tests (pytest-xdist); those marked `serial` have the machine to themselves.

They measure time, so a process of their own runs them when all others have ended (docs/testing.md).
"""

import gc
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from importlib import import_module
from pathlib import Path

import pytest
from xdist.workermanage import WorkerController

sys.path.append(str(Path(__file__).parent / "tools"))
import long_tests
from platform_exceptions import LeftOut

ROOT = Path(__file__).parent
# pytest's importlib mode leaves folders of tests off the path.
sys.path.extend(str(each) for each in (ROOT / "tests", *ROOT.glob("plugins/*/tests")))

SERIAL = pytest.StashKey[list[str]]()
"""The serial tests that the workers leave out."""
SHARED = pytest.StashKey[str]()
"""The folder of `shared_folder`; the serial tests find what the others had compiled."""


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """Runs the serial tests last, with the same options; fails if they or the others do."""
    if hasattr(config, "workerinput"):
        return (yield)
    with tempfile.TemporaryDirectory(
        prefix="parallel_pool_tests_", ignore_cleanup_errors=True
    ) as folder:
        if sys.dont_write_bytecode:
            keep_bytecode(folder)
        config.stash[SHARED] = os.environ.pop("PP_SHARED_FOLDER", folder)
        status = yield
        given, option = config.invocation_params, config.option
        names = config.stash.get(SERIAL, [])
        failed = status == pytest.ExitCode.TESTS_FAILED
        passed = status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        if not names or not (passed or (failed and not option.maxfail)):
            return status
        options = [each for each in given.args if each not in option.file_or_dir]
        command = [sys.executable, "-m", "pytest", *options, "-n0", *names]
        shared = {"PP_SHARED_FOLDER": config.stash[SHARED]}
        done = subprocess.run(command, cwd=given.dir, check=False, env={**os.environ, **shared})
        return status if failed else done.returncode


def keep_bytecode(folder: str) -> None:
    """For this run alone: its hundreds of processes would each compile all that they import."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder
    sys.dont_write_bytecode = False


def pytest_configure_node(node: WorkerController) -> None:
    node.workerinput["shared"] = node.config.stash[SHARED]


def pytest_testnodedown(node: WorkerController) -> None:
    """Every worker collects the same tests; one that died has no output."""
    output = getattr(node, "workeroutput", {})
    node.config.stash[SERIAL] = output.get("serial") or node.config.stash.get(SERIAL, [])


def pytest_configure(config: pytest.Config) -> None:
    # A shell's background jobs, and what they start, ignore SIGINT, which tests send.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(LeftOut())


def pytest_itemcollected(item: pytest.Item) -> None:
    if item.nodeid.partition("[")[0] in long_tests.NAMES:
        item.add_marker("long")


@pytest.hookimpl(trylast=True)  # when -m and -k have left others out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not hasattr(config, "workeroutput"):
        return
    serial = [item for item in items if item.get_closest_marker("serial")]
    config.workeroutput["serial"] = [item.nodeid for item in serial]
    items[:] = [item for item in items if item not in serial]


def pytest_collection_finish() -> None:
    # Thousands of tests live until the end. A collection that looks at them takes a fifth of a second.
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared_folder(request: pytest.FixtureRequest) -> Path:
    """One folder for all processes that share the tests: what takes long to build is built there once."""
    config = request.config
    return Path(
        config.workerinput["shared"] if hasattr(config, "workerinput") else config.stash[SHARED]
    )


@pytest.fixture(scope="session", autouse=True)
def _precompiled(shared_folder: Path) -> None:
    """test_envs/compiling.py finds there what is in the header of all plugins, compiled once."""
    os.environ["PP_PRECOMPILED"] = str(shared_folder / "precompiled_for_plugins")


@pytest.fixture
def quick_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The conformance kit with less patience than it has in the slow tests of the same environments.

    Deep play, and the checks of rows, values and statics, have 400 steps in place of 2,000, as many
    as there are actions before they repeat; 100 environments are built and destroyed; threads race, and
    the speed, which no check judges, is measured, for a moment.
    """
    for module, name, value in (
        ("deep", "STEPS", 400),
        ("checks.rows", "DEEP", 400),
        ("checks.values", "FAR", 400),
        ("checks.statics", "FAR", 400),
        ("checks.seeds", "RACING", 0.1),
        ("checks.lifetime", "TIMES", 100),
        ("checks.speed", "SECONDS", 0.02),
    ):
        patient = import_module(f"parallel_pool_author.testing.{module}")
        monkeypatch.setattr(patient, name, value)
