"""Shared by the tests of the MuJoCo plugin."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# pytest's importlib mode leaves the folder of the tests off the path.
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[3] / "tests"))  # test_envs


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: minutes, not seconds; run with -m slow")
