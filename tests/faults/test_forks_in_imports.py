"""Row 23 of the fault matrix: forks while another thread imports, as the first pool and picture do."""

import sys
import threading
from importlib import import_module
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from types import ModuleType
from typing import Any

import parallel_pool
import pytest
from parallel_pool import LibraryError
from parallel_pool.imports import in_children
from test_envs.checks import in_child
from test_envs.programs import ran

FIRST_PICTURE = r"""
import faulthandler, os, sys, threading, time, traceback, warnings
warnings.simplefilter("ignore")
import parallel_pool
from parallel_pool.imports import in_children

id, in_children.PATIENCE = sys.argv[1], float(sys.argv[2])
moments = sys.argv[3:]

def use():
    drawn = None if id.startswith("mujoco") else "rgb_array"  # OpenGL does not survive a fork
    with parallel_pool.make(id, num_envs=1, num_threads=1, render_mode=drawn) as pool:
        pool.reset()
        assert drawn is None or pool.render()[0].any()

def child():
    faulthandler.dump_traceback_later(60, exit=True)
    try:
        use()
    except parallel_pool.LibraryError as error:
        os.write(1, f"{error}\n".encode())
        os._exit(2)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)

thread = threading.Thread(target=use)
thread.start()
children = []
for moment in moments:
    while moment not in sys.modules and thread.is_alive():
        time.sleep(0)
    children.append(os.fork())
    if children[-1] == 0:
        child()
thread.join()
print(*(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children))
"""

OURS = ("parallel_pool.configure", "parallel_pool._core", "gymnasium.spaces")
MOMENTS = {
    "classic/CartPole-v1": ("numpy._core.numeric", *OURS, "pygame.base", "pygame.color"),
    "mujoco/Hopper-v5": ("mujoco._structs", "mujoco._functions"),
}
"""Modules in the middle of whose package, or of whose own import, a child is forked."""


@pytest.mark.parametrize(
    ("id", "patience"),
    [
        ("classic/CartPole-v1", 0.0),
        ("mujoco/Hopper-v5", 100.0),
        pytest.param("classic/CartPole-v1", 100.0, marks=pytest.mark.slow),
        pytest.param("mujoco/Hopper-v5", 0.0, marks=pytest.mark.slow),
    ],
)
def test_row_23_forks_during_the_first_picture(id: str, patience: float) -> None:
    """A child does the same, or is told which import was unfinished, whether forks wait for it or not."""
    if not parallel_pool.list_all_envs(id.partition("/")[0]):
        pytest.skip(f"the family of {id} is not installed")
    done = ran("-c", FIRST_PICTURE, id, patience, *MOMENTS[id], seconds=200)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    *told, statuses = done.stdout.splitlines()
    assert set(statuses.split()) <= {"0", "2"}, done.stdout
    for each in told:
        assert each.startswith("another thread was importing ")
        assert "import it before the fork" in each


class Slow:
    """Finds and loads the module `slow`, which does not end before `end` is set."""

    def __init__(self) -> None:
        self.begun, self.end = threading.Event(), threading.Event()
        sys.meta_path.insert(0, self)
        self.thread = threading.Thread(target=import_module, args=("slow",))
        self.thread.start()
        assert self.begun.wait(20)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name == "slow" else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Python's own."""

    def exec_module(self, module: Any) -> None:
        self.begun.set()
        assert self.end.wait(20)
        module.whole = True


@pytest.mark.own_process
def test_row_23_a_fork_waits_for_an_import() -> None:
    slow = Slow()
    threading.Timer(0.1, slow.end.set).start()

    def imported() -> None:
        assert sys.modules["slow"].whole

    in_child(imported)
    slow.thread.join()


@pytest.mark.own_process
def test_row_23_only_one_fork_waits_for_a_program_that_is_imported() -> None:
    slow = Slow()

    def forgotten() -> None:
        assert "slow" not in sys.modules

    for patience in (0.1, 1000.0):
        in_children.PATIENCE = patience
        in_child(forgotten)
    slow.end.set()
    slow.thread.join()


@pytest.mark.own_process
@pytest.mark.parametrize("library", ["half", "half.part", None])
def test_row_23_a_package_with_finished_parts(library: str | None) -> None:
    """The parts are imported again with it, unless one of them, or it itself, is a library."""
    for name, unfinished in (("half", True), ("half.part", False)):
        module = sys.modules[name] = ModuleType(name)
        loader = ExtensionFileLoader(name, "half.so") if name == library else None
        module.__spec__ = ModuleSpec(name, loader)
        module.__spec__._initializing = unfinished  # type: ignore[attr-defined]  # as Python marks it

    def told() -> None:
        assert ("half.part" in sys.modules) is bool(library)
        said = "half when this process was forked.*spawn" if library else "half"
        with pytest.raises(LibraryError if library else ModuleNotFoundError, match=said):
            import_module("half")

    in_child(told)
