"""The Python module and the classic plugin on a Windows Python, which wine runs."""

from pathlib import Path

import pytest
from windows_python import WindowsPython

FOLDER = Path(__file__).parent
pytestmark = [
    pytest.mark.slow,  # builds the module and a plugin
    pytest.mark.timeout(1200),
]


def test_doctor(windows: WindowsPython) -> None:
    said = windows.run("-m", "parallel_pool.cli", "doctor")
    assert "compiled core" in said
    assert "parallel-pool-classic" in said


def test_use(windows: WindowsPython) -> None:
    assert "as it should be" in windows.run(FOLDER / "use_pools.py")
