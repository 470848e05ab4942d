"""A MUJOCO_GL that MuJoCo or dm_control cannot use is named, also where nothing is drawn."""

import pytest
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


# MuJoCo takes capitals, dm_control does not.
@pytest.mark.parametrize("backend", ["no-such", "EGL"])
def test_a_backend_that_does_not_work(backend: str) -> None:
    printed = python("-c", SCRIPT, MUJOCO_GL=backend)
    assert f"cannot be imported with MUJOCO_GL={backend}" in printed
    assert "apt-get install libegl1" in printed
    assert "pip" not in printed
    assert "doctor: unset MUJOCO_GL" in printed
