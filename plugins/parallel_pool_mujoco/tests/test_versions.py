"""The same library with other versions of MuJoCo than the one that is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_envs.other_versions import run_with

SCRIPT = """
import mujoco
from mujoco_twin import IDS, Twin
assert mujoco.__version__ == VERSION, mujoco.__version__
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
    script = SCRIPT.replace("VERSION", repr(version))
    said = run_with([f"{distribution}=={version}"], script, tmp_path, Path(__file__).parent)
    assert said.strip().endswith("equal")
