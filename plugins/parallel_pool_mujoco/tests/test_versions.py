"""The same library with other versions of MuJoCo than the one that is installed."""

from pathlib import Path

import pytest
from test_envs.other_versions import run_with

SCRIPT = """
import mujoco
from mujoco_originals import IDS, played
from test_envs.originals import unrecorded
assert mujoco.__version__ == VERSION, mujoco.__version__
for task_id in IDS:
    played(unrecorded, task_id, lanes=5, seed=1, steps=1000)
"""


@pytest.mark.slow  # downloads, and minutes of trajectories
@pytest.mark.parametrize(
    ("distribution", "version"),
    [("mujoco", "3.6.0"), ("mujoco", "3.10.0"), ("mujoco-core", "4.0.1")],
)
def test_every_id_equals_gymnasium(distribution: str, version: str, tmp_path: Path) -> None:
    script = SCRIPT.replace("VERSION", repr(version))
    here = Path(__file__).parent
    paths = here, here.parents[2] / "tests"
    run_with([f"{distribution}=={version}"], script, tmp_path, *paths)
