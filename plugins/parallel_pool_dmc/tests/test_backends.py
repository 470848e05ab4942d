"""A MUJOCO_GL that MuJoCo or dm_control cannot use is named, also where nothing is drawn."""

from test_envs.programs import python

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
import parallel_pool
from parallel_pool_dmc._versions import check_dm_control
try:
    parallel_pool.make_spec("dmc/walker-walk")
except parallel_pool.OptionError as error:
    print(error)
print("doctor:", check_dm_control().hint)
"""


def test_a_backend_that_does_not_work() -> None:
    """MuJoCo takes capitals, dm_control does not."""
    printed = python("-c", SCRIPT, MUJOCO_GL="EGL")
    assert "cannot be imported with MUJOCO_GL=EGL" in printed
    assert "apt-get install libegl1" in printed
    assert "pip" not in printed
    assert "doctor: unset MUJOCO_GL" in printed
