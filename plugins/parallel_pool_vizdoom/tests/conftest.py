"""Shared by the tests of the plugin of ViZDoom."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# pytest's importlib mode leaves the folder of the tests off the path.
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[3] / "tests"))  # test_envs


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where vizdoom's own engines leave files. Ours leave none."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
