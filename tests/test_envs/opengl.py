"""Runs scripts that draw, each in a process of its own: OpenGL is chosen by the environment, once."""

import ctypes.util
import os
import sys

import pytest
from test_envs.programs import python

BACKEND = next(
    (name.lower() for name in ("EGL", "OSMesa") if ctypes.util.find_library(name) is not None), None
)
needs_opengl = pytest.mark.skipif(
    BACKEND is None,
    reason="no OpenGL for pictures: run `apt-get install libegl1` (or `libosmesa6`), as .ci/run does",
)


def drawn(script: str) -> str:
    """What the script prints; it can import what the tests can."""
    path = os.pathsep.join(filter(None, sys.path))
    return python("-c", script, MUJOCO_GL=BACKEND or "egl", PYTHONPATH=path)
