"""Runs scripts that draw, each in a process of its own: OpenGL is chosen by the environment, once."""

from __future__ import annotations

import ctypes.util
import os
import subprocess
import sys

import pytest

BACKEND = next(
    (name.lower() for name in ("EGL", "OSMesa") if ctypes.util.find_library(name) is not None), None
)
needs_opengl = pytest.mark.skipif(
    BACKEND is None,
    reason="no OpenGL for pictures: run `apt-get install libegl1` (or `libosmesa6`), as .ci/run does",
)


def drawn(script: str) -> str:
    """What the script prints; it can import what the tests can."""
    child = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
        env={
            **os.environ,
            "MUJOCO_GL": BACKEND or "egl",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
    )
    assert child.returncode == 0, child.stderr
    return child.stdout
