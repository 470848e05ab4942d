"""Shared by the tests of the Atari plugin."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# pytest's importlib mode leaves the folder of the tests off the path.
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[3] / "tests"))  # test_envs

from atari_engine import find_driver

ENGINE_TESTS = {
    "test_emulator.py",
    "test_engines.py",
    "test_hostile_roms.py",
    "test_machine.py",
    "test_two_players.py",
    "test_preprocess.py",
    "test_resize.py",
}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: minutes, not seconds; run with -m slow")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if find_driver() is not None:
        return
    hint = (
        "no atari_test_driver library; editable installs build it (`uv sync`), and so does "
        "cmake -S plugins/parallel_pool_atari -B <folder> -DPARALLEL_POOL_ATARI_TEST_DRIVER=ON, for "
        "PARALLEL_POOL_ATARI_TEST_DRIVER=<the library>"
    )
    for item in items:
        if item.path.name in ENGINE_TESTS:
            item.add_marker(pytest.mark.skip(reason=hint))
