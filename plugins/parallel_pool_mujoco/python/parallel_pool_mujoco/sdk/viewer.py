"""Viewers, which draw pictures of one model: they have OpenGL, a camera and a scene."""

from __future__ import annotations

import functools
import importlib
import os
import sys
import warnings
from typing import Any, Protocol

from parallel_pool_mujoco.sdk.binding import require_mujoco
from parallel_pool_mujoco.sdk.picture_options import Looks


class Viewer(Protocol):
    """MuJoCo's objects for one model. Used in one thread, the one that made it."""

    cam: Any
    """MjvCamera."""
    vopt: Any
    """MjvOption."""
    pert: Any
    """MjvPerturb."""
    scn: Any
    """MjvScene."""
    con: Any
    """MjrContext."""
    viewport: Any
    """MjrRect, of the size of the picture."""

    def make_context_current(self) -> None:
        """Called before anything is drawn: several viewers share a thread."""

    def aim(self, env_id: int) -> None:
        """Point the camera at environment `env_id`, whose data are in place. Before each picture."""

    def free(self) -> None:
        """Let go of OpenGL."""


class OffscreenViewer:
    """A `Viewer` without a window, by MuJoCo's own package. The usual camera is MuJoCo's free one."""

    def __init__(self, env_id: str, model: Any, looks: Looks) -> None:
        """Raises OptionError for a camera that the model does not have, and other errors without OpenGL."""
        mujoco = require_mujoco()
        number = looks.camera_number(env_id, model)
        self._context = _context(looks.width, looks.height)
        self._context.make_current()
        self.viewport = mujoco.MjrRect(0, 0, looks.width, looks.height)
        self.scn = mujoco.MjvScene(model, looks.max_geom)
        self.cam, self.vopt, self.pert = (
            mujoco.MjvCamera(),
            mujoco.MjvOption(),
            mujoco.MjvPerturb(),
        )
        for flag, value in (looks.visual_options or {}).items():
            self.vopt.flags[flag] = value
        self.con = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self.con)
        mujoco.mjv_defaultFreeCamera(model, self.cam)
        for name, value in (looks.camera_config or {}).items():
            setattr(self.cam, name, value)
        if number is not None and number >= 0:
            self.cam.type, self.cam.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, number

    def make_context_current(self) -> None:
        """See `Viewer`."""
        self._context.make_current()

    def aim(self, env_id: int) -> None:
        """See `Viewer`: this camera does not depend on the environment."""

    def free(self) -> None:
        """See `Viewer`."""
        self._context.free()


def require_window_system() -> None:
    """Raises RuntimeError where glfw can open no window. Call it before anything is drawn with glfw.

    glfw reports nothing itself, so MuJoCo would draw without OpenGL; and the second time that any module of
    this process does that, MuJoCo ends the process.
    """
    import glfw

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        works = glfw.init()
    if not works:
        raise RuntimeError("glfw: there is no display to open a window on")


@functools.cache
def drawn_in_vain() -> bool:
    """True if another module, such as Gymnasium, wanted a window although glfw could not begin.

    MuJoCo has tried to draw then, and ends the process when it is asked for the second time.
    """
    glfw = sys.modules.get("glfw")
    return glfw is not None and glfw.get_error()[0] == glfw.NOT_INITIALIZED


def _context(width: int, height: int) -> Any:
    """MuJoCo's OpenGL, by the environment variable MUJOCO_GL, or what works here without a display."""
    names = ["egl", "osmesa"]
    if chosen := os.environ.get("MUJOCO_GL"):
        names = [chosen.lower()]
    elif drawn_in_vain():
        raise RuntimeError(
            "glfw: there is no display to open a window on, and MuJoCo was asked to draw all the same"
        )
    elif sys.platform != "linux" or {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ):
        names.insert(0, "glfw")
    errors = []
    for name in names:
        try:
            if name == "glfw":
                require_window_system()
            return importlib.import_module(f"mujoco.{name}").GLContext(width, height)
        except (AttributeError, ImportError, OSError, RuntimeError, ValueError) as error:
            errors.append(f"{name}: {error}")
    raise RuntimeError("; ".join(errors))


@functools.cache
def backend() -> str:
    """The OpenGL that works here, as MUJOCO_GL calls it. Raises RuntimeError, with what each way said."""
    context = _context(16, 16)
    context.free()
    return _name(context)


def _name(context: Any) -> str:
    return type(context).__module__.rpartition(".")[2]


def described_context() -> str:
    """Makes a context, and says what draws in it: "egl, llvmpipe (LLVM 15.0.6, 256 bits)".

    Raises RuntimeError, with what each way said, where there is no OpenGL.
    """
    context = _context(16, 16)
    context.make_current()
    renderer = what_draws()
    context.free()
    return f"{_name(context)}, {renderer or 'nothing'}"


def what_draws() -> str:
    """Returns OpenGL's name for itself in the current context: "NVIDIA H200"; "" if it does not say."""
    try:
        gl = importlib.import_module("OpenGL.GL")
        return (gl.glGetString(gl.GL_RENDERER) or b"").decode(errors="replace")
    except Exception:  # PyOpenGL's may be of any kind
        return ""
