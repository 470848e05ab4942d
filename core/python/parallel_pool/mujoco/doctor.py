"""MuJoCo's line of `parallel-pool doctor`."""

from parallel_pool.mujoco.binding import INSTALL, MujocoError, binding_address
from parallel_pool.plugin_api import Check


def check_mujoco() -> Check:
    """For the hook `parallel_pool_doctor`: whether MuJoCo is there and its structs are where they should be."""
    try:
        binding_address()
    except MujocoError as error:
        return Check("MuJoCo", False, str(error), INSTALL)
    import mujoco

    return Check("MuJoCo", True, f"{mujoco.__version__}, structs checked against a living model")
