"""A stand-in for OpenGL, which counts contexts, switches and threads, is slow to switch, and can hang.

Pictures are numbers that depend on the scene. A program calls `install` before anything else is imported.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
import types
import zlib
from typing import Any

SWITCH_SECONDS = 0.002


class Counts:
    """What was done so far."""

    def __init__(self) -> None:
        self.contexts = self.switches = self.pictures = 0  # contexts: those that are there now
        self.threads: set[int] = set()  # those that have called OpenGL
        self.current: dict[int, Any] = {}  # the context, by thread
        self.hang: threading.Event | None = None  # pictures wait for it
        self.hangs = threading.Event()  # a picture waits

    def called(self) -> int:
        """Counts the thread, and returns its number."""
        if self.hangs.is_set():
            print("called while it hangs")
        here = threading.get_ident()
        self.threads.add(here)
        return here


def install(renderer: str) -> Counts:
    """renderer: what OpenGL calls itself."""
    counts = Counts()

    class GLContext:
        __module__ = "mujoco.egl"

        def __init__(self, width: int, height: int) -> None:
            counts.called()
            counts.contexts += 1
            self.there = True

        def make_current(self) -> None:
            here = counts.called()
            if self.there and counts.current.get(here) is not self:
                if self in counts.current.values():
                    raise RuntimeError("the context is current in another thread")
                time.sleep(SWITCH_SECONDS)
                counts.switches += 1
                counts.current[here] = self

        def free(self) -> None:
            if self.there:
                here = counts.called()
                if counts.current.get(here) is self:
                    del counts.current[here]
                counts.contexts -= 1
                self.there = False

        def __del__(self) -> None:
            self.free()

    class MjrContext:
        def __init__(self, model: Any, scale: Any) -> None:
            self.made_in = counts.current[counts.called()]
            self.picture = 0

        def here(self) -> None:
            assert counts.current.get(counts.called()) is self.made_in

        def free(self) -> None:
            self.here()

    def render(viewport: Any, scene: Any, context: MjrContext) -> None:
        context.here()
        if counts.hang is not None:
            counts.hangs.set()
            counts.hang.wait()
            counts.hangs.clear()
        counts.pictures += 1
        shapes = [scene.geoms[number].pos.tobytes() for number in range(scene.ngeom)]
        context.picture = zlib.crc32(b"".join(shapes) + bytes(scene.camera[0].pos))

    def read(pixels: Any, depths: Any, viewport: Any, context: MjrContext) -> None:
        context.here()
        pixels[:] = [context.picture % (3 + number % 253) for number in range(pixels.size)]

    # glGetString is asked where a context is current.
    contexts: Any = types.ModuleType("mujoco.egl")
    contexts.GLContext = GLContext
    library: Any = types.ModuleType("mujoco.egl.egl_ext")
    library.eglTerminate = lambda display: counts.called()
    atexit.register(library.eglTerminate, None)
    gl: Any = types.ModuleType("OpenGL.GL")
    gl.GL_RENDERER = 0
    gl.glGetString = lambda name: renderer.encode() if counts.current[counts.called()] else None
    os.environ["MUJOCO_GL"] = "egl"
    sys.modules |= {"mujoco.egl": contexts, "mujoco.egl.egl_ext": library, "OpenGL.GL": gl}

    import mujoco

    replaced: Any = mujoco
    replaced.MjrContext, replaced.mjr_render, replaced.mjr_readPixels = MjrContext, render, read
    replaced.mjr_setBuffer = lambda buffer, context: context.here()
    return counts
