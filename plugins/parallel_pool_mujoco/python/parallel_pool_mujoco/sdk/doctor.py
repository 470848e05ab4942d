"""MuJoCo's lines of `parallel-pool doctor`."""

import statistics
import subprocess
import sys
import time
from functools import cache

import numpy as np
from parallel_pool.plugin_api import SCENE_THREADS, Check

from parallel_pool_mujoco.sdk.binding import INSTALL, MujocoError, binding_address, require_mujoco
from parallel_pool_mujoco.sdk.drawing_thread import is_software
from parallel_pool_mujoco.sdk.picture_options import Looks
from parallel_pool_mujoco.sdk.viewer import OffscreenViewer, described_context, what_draws


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


_DRAW = "from parallel_pool_mujoco.sdk.doctor import described_drawing; print(described_drawing())"
_SECONDS = 60
_GL = "for pictures: apt-get install libegl1 libegl-mesa0, or apt-get install libosmesa6, which is slower"
_HANGS = (
    "a driver hangs when several processes draw with one GPU: end the others, or draw by software "
    "(MUJOCO_GL=osmesa)"
)


_PICTURES = 5
_A_LIT_BALL = "<mujoco><worldbody><light pos='0 0 3'/><geom size='1'/></worldbody></mujoco>"


def described_drawing() -> str:
    """Says what draws in this process, in how many threads, and how long a picture takes.

    Raises RuntimeError where there is no OpenGL.
    """
    context, mujoco = described_context(), require_mujoco()
    model = mujoco.MjModel.from_xml_string(_A_LIT_BALL)
    data, looks = mujoco.MjData(model), Looks(84, 84)
    mujoco.mj_forward(model, data)
    model.vis.global_.offwidth, model.vis.global_.offheight = looks.width, looks.height
    viewer = OffscreenViewer("doctor", model, looks)
    threads = (
        f"up to {SCENE_THREADS} threads of each pool"
        if is_software(what_draws())
        else "one thread for all pools"
    )
    pixels, times = np.zeros(3 * looks.width * looks.height, np.uint8), []
    for _ in range(_PICTURES):
        begin = time.perf_counter()
        every = mujoco.mjtCatBit.mjCAT_ALL
        mujoco.mjv_updateScene(model, data, viewer.vopt, viewer.pert, viewer.cam, every, viewer.scn)
        mujoco.mjr_render(viewer.viewport, viewer.scn, viewer.con)
        mujoco.mjr_readPixels(pixels, None, viewer.viewport, viewer.con)
        times.append(time.perf_counter() - begin)
    viewer.free()
    milliseconds = 1000 * statistics.median(times)
    return f"{context}, in {threads}; a picture of 84 x 84 takes {milliseconds:.1f} ms there"


@cache
def check_opengl() -> Check:
    """For the hook `parallel_pool_doctor`: says what draws pictures, and how. It is tried in a process apart.

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
        return Check("OpenGL", True, f"none: it did not answer in {_SECONDS} s", advice=_HANGS)
    if drawn.returncode != 0:
        said = drawn.stderr.strip().splitlines()[-1:] or [f"ended with {drawn.returncode}"]
        return Check("OpenGL", True, f"none: {said[0]}", advice=_GL)
    return Check("OpenGL", True, drawn.stdout.strip().splitlines()[-1])
