"""One model, seen as Gymnasium would see it, or fast."""

from __future__ import annotations

import atexit
import functools
import threading
import weakref
from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np
from parallel_pool.errors import OptionError
from parallel_pool.mujoco.copies import SceneCopy

from parallel_pool_mujoco._view_options import camera_config, visual_options

NO_GL = (
    "there is no OpenGL to draw with. Without a display set MUJOCO_GL=egl "
    "(`apt-get install libegl1`) or MUJOCO_GL=osmesa (`apt-get install libosmesa6`, slower) before "
    "Python starts"
)
_FAILURES = (AttributeError, ImportError, OSError, RuntimeError, mujoco.FatalError)
"""What Gymnasium and PyOpenGL raise depends on what is missing."""

_opening = threading.Lock()
"""The first context that is made sets up OpenGL for all threads."""
_broken: list[BaseException] = []
"""What MuJoCo said when it could not set OpenGL up. It does not try twice: the second time it aborts."""
_open: weakref.WeakSet[View] = weakref.WeakSet()


class View:
    """Draws one environment after the other. Used in one thread, the one that made it.

    Set up by Gymnasium's MujocoRenderer; drawn without reading the depths that it reads and drops.
    """

    def __init__(
        self,
        env_id: str,
        make: Any,
        model: Any,
        size: tuple[int, ...],
        camera: int | str | None,
        original_camera: Mapping[str, Any] | None,
        options: Mapping[str, Any],
    ) -> None:
        """camera: as `parallel_pool_renderer` is told; options: of the environment, or none."""
        self._env_id, self._model = env_id, model
        width, height = size
        # As large as the picture: the rest of the buffer would be smoothed too.
        model.vis.global_.offwidth, model.vis.global_.offheight = width, height
        fast = options.get("render_quality") == "fast"
        if fast:
            model.vis.quality.offsamples = model.vis.quality.shadowsize = 0
        self._scene = SceneCopy(model)
        config = camera_config(options) or original_camera
        self._renderer = make(
            model,
            self._scene.data,
            config,
            width=width,
            height=height,
            max_geom=options.get("max_geom", 1000),
            visual_options=visual_options(options),
            **self._which(camera),
        )
        self._viewer: Any = None
        self._fast = fast
        self._config = config or {}
        # A free camera without a place looks to where the shapes were when it saw them first.
        self._centres: dict[int, Any] = {}
        self._pixels = np.zeros(3 * width * height, np.uint8)
        self._shape = (height, width, 3)
        if not options:
            self._open()

    def picture(self, arrays: Mapping[str, Any]) -> Any:
        """uint8 (height, width, 3). arrays: what SceneCopy takes, and `env_id`."""
        self._scene.take(arrays["mjdata_buffer"], arrays["time"])
        if self._viewer is None:
            self._open()
        viewer, data = self._viewer, self._scene.data
        if viewer.cam.type == mujoco.mjtCamera.mjCAMERA_FREE and "lookat" not in self._config:
            centre = self._centres.get(int(arrays["env_id"]))
            if centre is None:
                centre = [np.median(data.geom_xpos[:, axis]) for axis in range(3)]
                self._centres[int(arrays["env_id"])] = centre
            viewer.cam.lookat[:] = centre
        viewer.make_context_current()
        mujoco.mjv_updateScene(
            self._model,
            data,
            viewer.vopt,
            viewer.pert,
            viewer.cam,
            mujoco.mjtCatBit.mjCAT_ALL,
            viewer.scn,
        )
        mujoco.mjr_render(viewer.viewport, viewer.scn, viewer.con)
        mujoco.mjr_readPixels(self._pixels, None, viewer.viewport, viewer.con)
        return self._pixels.reshape(self._shape)[::-1].copy()  # OpenGL begins at the bottom

    def close(self) -> None:
        """Frees the context."""
        # Not the renderer's close(), which would close windows of others as well.
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            viewer.free()

    def _open(self) -> None:
        try:
            with _opening:
                if _broken:
                    raise _broken[0]
                viewer = self._renderer._get_viewer("rgb_array")
        except _FAILURES as error:
            if isinstance(error, mujoco.FatalError):
                _broken[:] = [error]
            raise OptionError(f"{self._env_id}: {NO_GL} ({error})") from error
        camera = self._renderer.camera_id
        free = camera is None or camera == -1
        kinds = mujoco.mjtCamera
        viewer.cam.type = kinds.mjCAMERA_FREE if free else kinds.mjCAMERA_FIXED
        viewer.cam.fixedcamid = -1 if free else camera
        if self._fast:
            for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
                viewer.scn.flags[flag] = 0
        self._viewer = viewer
        _open.add(self)
        # Only now, so that it is called before what closes OpenGL itself.
        _close_at_exit()

    def _which(self, camera: int | str | None) -> dict[str, Any]:
        if camera is None:
            return {}
        names = [self._model.camera(number).name for number in range(self._model.ncam)]
        if isinstance(camera, str):
            if camera not in names:
                raise OptionError(
                    f"{self._env_id}: the model has no camera {camera!r}, only {names}"
                )
            return {"camera_name": camera}
        if not -1 <= camera < len(names):
            raise OptionError(
                f"{self._env_id}: the model has no camera {camera}, only {len(names)} ({names})"
            )
        return {"camera_id": camera}


@functools.cache
def _close_at_exit() -> None:
    atexit.register(_close_all)


def _close_all() -> None:
    for view in list(_open):
        view.close()
