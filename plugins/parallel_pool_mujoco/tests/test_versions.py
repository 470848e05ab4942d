"""The same library with other versions of MuJoCo than the one that is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
import mujoco
from mujoco_twin import IDS, Twin
assert mujoco.__version__ == sys.argv[1], mujoco.__version__
for task_id in IDS:
    twin = Twin(task_id, lanes=5)
    twin.reset(seed=1)
    twin.run(1000, seed=0)
    twin.close()
print("equal")
"""


@pytest.mark.slow  # downloads, and minutes of trajectories
@pytest.mark.parametrize(
    ("distribution", "version"),
    [("mujoco", "3.6.0"), ("mujoco", "3.10.0"), ("mujoco-core", "4.0.1")],
)
def test_every_id_equals_gymnasium(distribution: str, version: str, tmp_path: Path) -> None:
    """Put before the installed one on the path, in a process of its own."""
    folder = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
    subprocess.run([*install, f"{distribution}=={version}"], check=True, timeout=600)
    path = os.pathsep.join([str(folder), str(Path(__file__).parent)])
    child = subprocess.run(
        [sys.executable, "-c", SCRIPT, version],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert child.stdout.strip().endswith("equal"), child.stderr
