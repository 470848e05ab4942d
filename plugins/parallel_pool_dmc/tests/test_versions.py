"""dm_control with a MuJoCo that it does not work with is refused by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
import parallel_pool
try:
    parallel_pool.make("dmc/cheetah-run")
except parallel_pool.OptionError as error:
    print(error)
"""


@pytest.mark.slow  # downloads
def test_a_pair_that_does_not_work(tmp_path: Path) -> None:
    """MuJoCo 4 before the installed one on the path, in a process of its own."""
    folder = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
    subprocess.run([*install, "mujoco-core==4.0.1"], check=True, timeout=600)
    child = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    assert child.returncode == 0, child.stderr
    assert "does not work with mujoco 4.0.1" in child.stdout
    assert "pip install 'dm-control==1.0.50' 'mujoco==3.17.0'" in child.stdout
