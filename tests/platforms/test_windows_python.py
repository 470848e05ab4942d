"""The Python module and the classic plugin on a Windows Python, which wine runs."""

from pathlib import Path

import pytest
from platforms import rows_here
from windows_python import WindowsPython

FOLDER = Path(__file__).parent
OF_THE_C_LIBRARY = {"classic/Acrobot-v1", "classic/Pendulum-v1"}
"""Sines of any number, whose last bit is the system's; use_pools.py compares with Gymnasium's there."""
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


def test_rows(windows: WindowsPython) -> None:
    here = rows_here("classic")
    there = windows.rows("classic")
    assert there.keys() == here.keys()
    other = {name.split()[0] for name in here if here[name] != there[name]}
    assert other <= OF_THE_C_LIBRARY
