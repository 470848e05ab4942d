"""The renderer of environments that are simulated with MuJoCo, for the hook `parallel_pool_renderer`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parallel_pool.plugin_api import EnvSpec

from parallel_pool_mujoco.sdk.binding import require_mujoco
from parallel_pool_mujoco.sdk.copies import ARRAYS, EDITS, model_at, unpacked
from parallel_pool_mujoco.sdk.picture_options import NAMES, Looks, looks_of
from parallel_pool_mujoco.sdk.view import View
from parallel_pool_mujoco.sdk.viewer import OffscreenViewer, Viewer

SIZE = 480
"""Width and height where none are given: Gymnasium's."""
KEPT = 8
"""Views that are kept, each with an OpenGL context; environments with model_overrides have one each."""
_ANYTHING = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"


class OffscreenRenderer:
    """A `parallel_pool.plugin_api.SceneRenderer`: draws copies of the environments' data.

        @hookimpl
        def parallel_pool_renderer(spec, mode, arguments):
            return OffscreenRenderer(spec, mode, arguments)

    The environments list their arrays (`pp::mujoco::list_arrays`), and with `from_pixels` are observed by
    `pp::mujoco::Observer`. A family whose original draws in another way overrides `viewer`.
    """

    def __init__(self, spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> None:
        """Takes the arguments of the hook `parallel_pool_renderer`; the mode is "rgb_array"."""
        self.arrays: tuple[str, ...] = (*ARRAYS, EDITS)
        self.spec = spec
        self._width = int(arguments.get("width") or SIZE)
        self._height = int(arguments.get("height") or SIZE)
        self._camera: int | str | None = arguments.get("camera")
        self._views: dict[tuple[Any, ...], View] = {}

    def viewer(self, model: Any, data: Any, looks: Looks) -> Viewer:
        """The viewer that draws a model. The data are those of the first picture."""
        return OffscreenViewer(self.spec.id, model, looks)

    def check(self) -> None:
        """Raises OptionError if there is no OpenGL here."""
        model = require_mujoco().MjModel.from_xml_string(_ANYTHING)
        view = self._view(model, Looks(8, 8))
        view.open()
        view.close()

    def unpacked(self, scene: Any) -> Mapping[str, Any]:
        """The arrays in a row that the library has written."""
        return unpacked(scene)

    def draw(self, arrays: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
        """One picture, uint8 (height, width, 3)."""
        address = int(arrays["mjmodel_address"])
        key = (address, *(options.get(name) for name in NAMES))
        view = self._views.get(key)
        if view is None:
            while len(self._views) >= KEPT:
                self._views.pop(next(iter(self._views))).close()
            looks = looks_of(options, self._width, self._height, self._camera)
            model = model_at(address)
            looks.camera_number(self.spec.id, model)  # refused before there is OpenGL
            view = self._views[key] = self._view(model, looks)
        return view.picture(arrays)

    def close(self) -> None:
        """Frees the contexts."""
        for view in self._views.values():
            view.close()
        self._views.clear()

    def _view(self, model: Any, looks: Looks) -> View:
        return View(self.spec.id, model, looks, lambda model, data: self.viewer(model, data, looks))
