"""Shared by the tests of the Atari plugin."""

from __future__ import annotations

import pytest
from engine import find_driver

ENGINE_TESTS = {"test_resize.py", "test_emulator.py", "test_preprocess.py"}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: every ROM, minutes; run with -m slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "slow" not in (config.getoption("-m") or ""):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow: run with -m slow"))
    if find_driver() is None:
        hint = (
            "no atari_test_driver library; build it with: cmake -S plugins/parallel_pool_atari -B "
            "plugins/parallel_pool_atari/build/dev && "
            "cmake --build plugins/parallel_pool_atari/build/dev"
        )
        for item in items:
            if item.path.name in ENGINE_TESTS:
                item.add_marker(pytest.mark.skip(reason=hint))
