"""The renderer of environments that are simulated with MuJoCo, for the hook `parallel_pool_renderer`."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from parallel_pool.errors import ParallelPoolError
from parallel_pool.plugin_api import EnvSpec

from parallel_pool_mujoco.sdk import drawing_thread
from parallel_pool_mujoco.sdk.binding import require_mujoco
from parallel_pool_mujoco.sdk.copies import ARRAYS, EDITS, model_at, unpacked
from parallel_pool_mujoco.sdk.picture_options import NAMES, Looks, looks_of
from parallel_pool_mujoco.sdk.view import View
from parallel_pool_mujoco.sdk.viewer import OffscreenViewer, Viewer, what_draws

SIZE = 480
"""Width and height where none are given: Gymnasium's."""
KEPT = 8
"""Views that are kept, each with an OpenGL context; environments with model_overrides have one each."""
T = TypeVar("T")
_ANYTHING = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"


class OffscreenRenderer:
    """A `parallel_pool.plugin_api.SceneRenderer`: draws copies of the environments' data.

        @hookimpl
        def parallel_pool_renderer(spec, mode, arguments):
            return OffscreenRenderer(spec, mode, arguments)

    The environments list their arrays (`pp::mujoco::list_arrays`), and with `from_pixels` are observed by
    `pp::mujoco::Observer`. A family whose original draws in another way overrides `viewer`. What has to do with
    OpenGL happens where `drawing_thread` says; the methods may be called in any thread.
    """

    def __init__(self, spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> None:
        """Takes the arguments of the hook `parallel_pool_renderer`; the mode is "rgb_array"."""
        self.arrays: tuple[str, ...] = (*ARRAYS, EDITS)
        self.spec = spec
        self._width = int(arguments.get("width") or SIZE)
        self._height = int(arguments.get("height") or SIZE)
        self._camera: int | str | None = arguments.get("camera")
        self._views: dict[tuple[Any, ...], View] = {}
        self._closed = False
        self._drawing = drawing_thread.here()
        # However it goes, its views go where they were made.
        weakref.finalize(self, _let_go, self._drawing, self._views).atexit = False

    @property
    def own_thread(self) -> Callable[[Callable[[], object]], object] | None:
        """See `parallel_pool.plugin_api.SceneRenderer`."""
        return None if self._drawing.any_thread else self._call

    def viewer(self, model: Any, data: Any, looks: Looks) -> Viewer:
        """The viewer that draws a model. The data are those of the first picture."""
        return OffscreenViewer(self.spec.id, model, looks)

    def check(self) -> None:
        """Raises OptionError if there is no OpenGL here, EnvAccessError if it hangs."""
        self._drawing.call(self._try)

    def unpacked(self, scene: Any) -> Mapping[str, Any]:
        """The arrays in a row that the library has written."""
        return unpacked(scene)

    def draw(self, arrays: Mapping[str, Any], options: Mapping[str, Any], into: Any = None) -> Any:
        """One picture, uint8 (height, width, 3)."""
        return self._call(lambda: self._draw(arrays, options, into))

    def close(self) -> None:
        """Frees the contexts, unless their driver hangs."""
        if self._drawing.draws is not None:
            with contextlib.suppress(ParallelPoolError):
                self._drawing.call(self._close)

    def _call(self, run: Callable[[], T]) -> T:
        """Calls in the thread that draws for this process, which is found out first, or in this one."""
        if self._drawing.draws is None:
            self.check()
        return self._drawing.call(run)

    def _try(self) -> None:
        """Draws nothing, but finds out what would."""
        if self._drawing.draws is not None and self._drawing.inside:
            return  # the thread that has drawn
        model = require_mujoco().MjModel.from_xml_string(_ANYTHING)
        view = self._view(model, Looks(8, 8))
        view.open()
        self._drawing.drawn_by(what_draws())
        view.close()

    def _draw(self, arrays: Mapping[str, Any], options: Mapping[str, Any], into: Any) -> Any:
        self._drawing.begins(drawing_thread.OTHER_SECONDS)
        if self._closed:
            raise RuntimeError("the pool was closed while it drew")
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
        return view.picture(arrays, into)

    def _close(self) -> None:
        self._closed = True
        _close(self._views)

    def _view(self, model: Any, looks: Looks) -> View:
        viewer = weakref.WeakMethod(self.viewer)  # views may outlive this, but open no more

        def make(model: Any, data: Any) -> Viewer:
            method = viewer()
            assert method is not None
            return method(model, data, looks)

        return View(self.spec.id, model, looks, make)


def _let_go(drawing: drawing_thread.DrawingThread, views: dict[tuple[Any, ...], View]) -> None:
    if views:
        drawing.post(lambda: _close(views))


def _close(views: dict[tuple[Any, ...], View]) -> None:
    for view in views.values():
        view.close()
    views.clear()
