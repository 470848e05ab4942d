"""One model, drawn as it is in one environment after the other."""

from __future__ import annotations

import atexit
import contextlib
import functools
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.plugin_api import PerProcess

from parallel_pool_mujoco.sdk import drawing_thread
from parallel_pool_mujoco.sdk.binding import require_mujoco
from parallel_pool_mujoco.sdk.copies import SceneCopy
from parallel_pool_mujoco.sdk.picture_options import Looks
from parallel_pool_mujoco.sdk.viewer import Viewer

FORKED = (
    "this process was forked from one that had drawn with OpenGL, which does not work on both sides of a "
    "fork. Fork before the first picture, or start processes by 'spawn'"
)
NO_GL = (
    "there is no OpenGL to draw with. Without a display set MUJOCO_GL=egl "
    "(`apt-get install libegl1`) or MUJOCO_GL=osmesa (`apt-get install libosmesa6`, slower) before "
    "Python starts"
)

_opening = PerProcess(threading.Lock)
"""The first context that is made sets up OpenGL for all threads."""
_broken: list[BaseException] = []
"""MuJoCo's error when it could not set OpenGL up. It is not asked twice: the second time it aborts."""
_process = PerProcess(object)
_first: object = None
"""The process that was the first to set OpenGL up, of those that forked one another."""


class View:
    """Draws with a viewer, which it opens at the first picture. Used in one thread, the one that made it."""

    def __init__(
        self, env_id: str, model: Any, looks: Looks, make_viewer: Callable[[Any, Any], Viewer]
    ) -> None:
        """make_viewer: from the model and its data."""
        self._mujoco, self._drawing = require_mujoco(), drawing_thread.here()
        self._env_id, self._model, self._make_viewer = env_id, model, make_viewer
        # The buffer is as large as the picture, for MuJoCo would smooth the rest of it too.
        model.vis.global_.offwidth, model.vis.global_.offheight = looks.width, looks.height
        if looks.fast:
            model.vis.quality.offsamples = model.vis.quality.shadowsize = 0
        self._fast = looks.fast
        self._scene = SceneCopy(model)
        self._viewer: Viewer | None = None
        self._pixels = np.zeros(3 * looks.width * looks.height, np.uint8)
        # OpenGL begins at the bottom.
        self._picture = self._pixels.reshape(looks.height, looks.width, 3)[::-1]
        self._all = self._mujoco.mjtCatBit.mjCAT_ALL

    def picture(self, arrays: Mapping[str, Any], into: Any = None) -> Any:
        """Draws uint8 (height, width, 3). arrays: those that SceneCopy takes, and `env_id`. into: where to."""
        mujoco, drawing = self._mujoco, self._drawing
        heights = self._scene.take(arrays)
        viewer = self._viewer or self.open()
        drawing.begins(drawing_thread.PICTURE_SECONDS)
        viewer.aim(int(arrays["env_id"]))
        if drawing.current is not self:
            viewer.make_context_current()
            drawing.current = self if drawing.inside else None
        for number in range(self._model.nhfield if heights else 0):
            mujoco.mjr_uploadHField(self._model, viewer.con, number)
        mujoco.mjv_updateScene(
            self._model,
            self._scene.data,
            viewer.vopt,
            viewer.pert,
            viewer.cam,
            self._all,
            viewer.scn,
        )
        mujoco.mjr_render(viewer.viewport, viewer.scn, viewer.con)
        # Without the depths, which no picture here has.
        mujoco.mjr_readPixels(self._pixels, None, viewer.viewport, viewer.con)
        if into is None:
            return self._picture.copy()
        into[...] = self._picture
        return into

    def open(self) -> Viewer:
        """Makes the viewer. Raises OptionError where there is no OpenGL, or none any more."""
        global _first
        _first = _first or _process.here
        if _first is not _process.here:
            raise OptionError(f"{self._env_id}: {FORKED}")
        mujoco = self._mujoco
        self._drawing.begins(drawing_thread.OTHER_SECONDS)
        self._drawing.current = None
        # PyOpenGL and MuJoCo raise one of these, depending on what is missing.
        failures = (AttributeError, ImportError, OSError, RuntimeError, mujoco.FatalError)
        try:
            with _opening.here:
                if _broken:
                    raise _broken[0]
                viewer = self._make_viewer(self._model, self._scene.data)
        except failures as error:
            if isinstance(error, mujoco.FatalError):
                _broken[:] = [error]
            raise OptionError(f"{self._env_id}: {NO_GL} ({error})") from error
        if self._fast:
            for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
                viewer.scn.flags[flag] = 0
        self._viewer = viewer
        self._drawing.open.add(self)
        # Only now, so that it is called before the function that closes OpenGL itself.
        _close_at_exit()
        return viewer

    def close(self) -> None:
        """Frees the context."""
        viewer, self._viewer = self._viewer, None
        if viewer is None:
            return
        drawing = self._drawing
        drawing.begins(drawing_thread.OTHER_SECONDS, wanted=False)
        drawing.current = None
        if drawing.inside:  # elsewhere the context's garbage might be taken for another's
            viewer.make_context_current()
            viewer.con.free()
        viewer.free()


@functools.cache
def _close_at_exit() -> None:
    atexit.register(_close_all)


def _close_all() -> None:
    drawing = drawing_thread.here()

    def close() -> None:
        for view in list(drawing.open):
            view.close()

    if drawing.open:
        with contextlib.suppress(ParallelPoolError):  # a driver may hang
            drawing.call(close)
