"""Pictures by Gymnasium's own renderer, of a copy of an environment's data: equal pixel by pixel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.mujoco.copies import ARRAYS, model_at, unpacked
from parallel_pool.plugin_api import EnvSpec

from parallel_pool_mujoco._view import View
from parallel_pool_mujoco._view_options import NAMES, original_camera

SIZE = 480
"""Gymnasium's default width and height."""
_ANYTHING = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
KEPT = 8
"""Views that are kept, each with an OpenGL context; environments with model_overrides have one each."""


class GymnasiumRenderer:
    """See `parallel_pool.plugin_api.SceneRenderer`."""

    def __init__(self, spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> None:
        self.arrays = ARRAYS
        self._spec, self._mode = spec, mode
        self._size = tuple(arguments.get(name) or SIZE for name in ("width", "height"))
        self._camera = arguments.get("camera")
        try:
            from gymnasium.envs.mujoco.mujoco_rendering import MujocoRenderer
        except ImportError as error:
            raise OptionError(
                f"{spec.id}: Gymnasium's renderer cannot be imported ({error}): "
                "run `pip install 'parallel-pool-mujoco[render]'`"
            ) from None
        self._make = MujocoRenderer
        self._original_camera = original_camera(spec)
        self._views: dict[tuple[Any, ...], View] = {}

    def check(self) -> None:
        """Raises OptionError if there is no OpenGL here."""
        import mujoco

        model = mujoco.MjModel.from_xml_string(_ANYTHING)
        View(self._spec.id, self._make, model, (8, 8), None, {}, {}).close()

    def unpacked(self, scene: Any) -> Mapping[str, Any]:
        """The arrays in a row that the library has written."""
        return unpacked(scene)

    def draw(self, arrays: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
        """One picture, uint8 (height, width, 3)."""
        key = (int(arrays["mjmodel_address"]), *(options[name] for name in NAMES))
        view = self._views.get(key)
        if view is None:
            while len(self._views) >= KEPT:
                self._views.pop(next(iter(self._views))).close()
            view = self._views[key] = View(
                self._spec.id,
                self._make,
                model_at(key[0]),
                self._size,
                self._camera,
                self._original_camera,
                options,
            )
        return view.picture(arrays)

    def close(self) -> None:
        """Frees the contexts."""
        for view in self._views.values():
            view.close()
        self._views.clear()
