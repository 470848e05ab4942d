"""MuJoCo's lines of `parallel-pool doctor`."""

import subprocess
import sys
from functools import cache

from parallel_pool.plugin_api import Check

from parallel_pool_mujoco.sdk.binding import INSTALL, MujocoError, binding_address


def check_mujoco() -> Check:
    """For the hook `parallel_pool_doctor`: checks MuJoCo, and where its structs are."""
    try:
        binding_address()
    except MujocoError as error:
        return failed_check("MuJoCo", error, INSTALL)
    import mujoco

    return Check("MuJoCo", True, f"{mujoco.__version__}, structs checked against a living model")


def failed_check(name: str, error: MujocoError, install: str) -> Check:
    """The line of a package that cannot be used. install: mends it, unless MUJOCO_GL is the cause."""
    return Check(
        name, False, str(error), "unset MUJOCO_GL" if "MUJOCO_GL" in str(error) else install
    )


_DRAW = "from parallel_pool_mujoco.sdk.viewer import described_context; print(described_context())"
_SECONDS = 60
_GL = "for pictures: apt-get install libegl1 libegl-mesa0, or apt-get install libosmesa6, which is slower"


@cache
def check_opengl() -> Check:
    """For the hook `parallel_pool_doctor`: says what draws pictures, tried in a process that may crash.

    A machine without OpenGL is no failure: only pictures need it.
    """
    try:
        drawn = subprocess.run(
            [sys.executable, "-c", _DRAW],
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Check("OpenGL", True, f"none: it did not answer in {_SECONDS} s", advice=_GL)
    if drawn.returncode != 0:
        said = drawn.stderr.strip().splitlines()[-1:] or [f"ended with {drawn.returncode}"]
        return Check("OpenGL", True, f"none: {said[0]}", advice=_GL)
    return Check("OpenGL", True, drawn.stdout.strip().splitlines()[-1])
