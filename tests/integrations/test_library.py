"""Adapters without their library: which command helps. These tests need none of the libraries."""

import importlib
import sys
import tomllib
from pathlib import Path

import parallel_pool
import pytest
from parallel_pool_learning import library
from parallel_pool_learning.library import Library, require
from test_envs.checks import refused
from test_envs.programs import python

ROOT = Path(__file__).parents[2]
LIBRARIES = [each for each in vars(library).values() if isinstance(each, Library)]
ADAPTERS = {
    "rl_games": library.RL_GAMES,
    "sb3": library.SB3,
    "skrl": library.SKRL,
    "tianshou": library.TIANSHOU,
    "torchrl": library.TORCHRL,
}
WHEELS = {"distributed": "ray", "integrations": "learning", "watching": "watch", "xla": "jax"}
"""Where a module of the package is now, if its old name is not the wheel's."""


def test_importing_the_package_imports_no_library() -> None:
    modules = [each.module for each in LIBRARIES]
    asked = (
        "import sys, parallel_pool_learning.library; "
        f"print([name for name in {modules} if name in sys.modules])"
    )
    assert python("-c", asked) == "[]\n"


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_missing_library_is_named_with_the_command(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ADAPTERS[name]
    monkeypatch.setitem(sys.modules, wanted.module, None)
    monkeypatch.delitem(sys.modules, f"parallel_pool_learning.{name}", raising=False)
    with refused(
        parallel_pool.LibraryError,
        f"the adapter for {wanted.title}, which is tested with {wanted.tested}",
        f"needs {wanted.module}, which is missing",
        f"pip install -U 'parallel-pool[{wanted.extra}]'",
    ):
        importlib.import_module(f"parallel_pool_learning.{name}")


def test_an_import_error_it_is_too() -> None:
    with pytest.raises(ImportError) as caught:
        require(Library("Nothing", "nothing_of_this_name", "nothing", "nothing", "1", "2"))
    assert caught.value.name == "nothing_of_this_name"


def test_an_old_library_is_refused() -> None:
    with refused(
        parallel_pool.LibraryError,
        "the adapter for NumPy",
        "needs numpy 99.1 or newer, and this is ",
        "pip install -U 'parallel-pool[none]'",
    ):
        require(Library("NumPy", "numpy", "numpy", "none", "99.1", "99.2"))


def test_new_enough_or_of_unknown_version() -> None:
    require(Library("NumPy", "numpy", "numpy", "none", "1.9", "2"))
    require(Library("A module", "runpy", "no-such-distribution", "none", "1", "2"))


@pytest.mark.parametrize("each", LIBRARIES, ids=lambda each: each.extra)
def test_extras_and_pins_say_the_same(each: Library) -> None:
    wheel = "ray" if each.module == "ray" else "learning"
    folder = ROOT / f"plugins/parallel_pool_{wheel}"
    own, ours = (tomllib.loads((at / "pyproject.toml").read_text()) for at in (folder, ROOT))
    extra = own["project"]["optional-dependencies"][each.extra]
    assert any(f">={each.least}" in dependency for dependency in extra)
    assert f"{each.package}=={each.tested}" in ours["tool"]["uv"]["constraint-dependencies"]


@pytest.mark.parametrize("old", ["learning", *WHEELS])
def test_the_old_name_of_a_module_leads_to_the_new(old: str) -> None:
    new = WHEELS.get(old, old)
    said = f"parallel_pool.{old} is parallel_pool_{new}", f"pip install parallel-pool-{new}"
    with refused(ImportError, *said):
        importlib.import_module(f"parallel_pool.{old}")
