"""The oldest dm_control and MuJoCo that work here; a pair that does not work is refused by name."""

from pathlib import Path

import pytest
from test_envs.other_versions import run_with

REFUSED = """
import warnings
warnings.simplefilter("ignore")
import parallel_pool
try:
    parallel_pool.make("dmc/cheetah-run")
except parallel_pool.OptionError as error:
    print(error)
"""

EQUAL = """
import mujoco
from dmc_originals import NAMES, control_timestep, played
from test_envs.originals import unrecorded
assert mujoco.__version__ == "3.6.0", mujoco.__version__
for name in NAMES:
    limit = 100 * control_timestep(name)
    assert played(unrecorded, name, seed=3, lanes=2, episodes=2, time_limit=limit).step >= 200
"""


@pytest.mark.slow  # downloads
@pytest.mark.parametrize(
    ("pair", "error"),
    [
        (["mujoco-core==4.0.1"], "dm_control 1.0.50 does not work with mujoco 4.0.1"),
        (
            ["dm-control==1.0.37", "mujoco==3.6.0"],
            "dm_control 1.0.37 does not work with mujoco 3.6.0",
        ),
    ],
)
def test_a_pair_that_does_not_work(pair: list[str], error: str, tmp_path: Path) -> None:
    said = run_with(pair, REFUSED, tmp_path)
    assert error in said
    assert "pip install 'dm-control==1.0.50' 'mujoco==3.17.0'" in said


@pytest.mark.slow  # downloads, and a minute of trajectories
def test_the_oldest_pair_is_equal(tmp_path: Path) -> None:
    pair = ["dm-control==1.0.38", "mujoco==3.6.0"]
    here = Path(__file__).parent
    run_with(pair, EQUAL, tmp_path, here, here.parents[2] / "tests")
