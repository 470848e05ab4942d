"""Pictures by Gymnasium's own renderer, of a copy of an environment's data: equal pixel by pixel."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import re
from collections.abc import Mapping
from typing import Any

import mujoco
from parallel_pool.errors import OptionError
from parallel_pool.mujoco.copies import ARRAYS, SceneCopy, model_at
from parallel_pool.plugin_api import EnvSpec

SIZE = 480
"""Gymnasium's default width and height."""
KEPT = 8
"""Models of which a renderer is kept; environments with model_overrides have one each."""
NO_GL = (
    "there is no OpenGL to draw with. Without a display set MUJOCO_GL=egl "
    "(`apt install libegl1`) or MUJOCO_GL=osmesa (`apt install libosmesa6`, slower) before Python starts"
)


class GymnasiumRenderer:
    """See `parallel_pool.plugin_api.Renderer`."""

    def __init__(self, spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> None:
        self.arrays = ARRAYS
        self._spec, self._mode, self._arguments = spec, mode, arguments
        try:
            from gymnasium.envs.mujoco.mujoco_rendering import MujocoRenderer
        except ImportError as error:
            raise OptionError(
                f"{spec.id}: Gymnasium's renderer cannot be imported ({error}): "
                "run `pip install 'parallel-pool-mujoco[render]'`"
            ) from None
        self._make = MujocoRenderer
        self._camera_config = _camera_config(spec)
        self._scenes: dict[int, tuple[SceneCopy, Any]] = {}

    def draw(self, arrays: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
        """One picture, uint8 (height, width, 3)."""
        scene, renderer = self._scene(int(arrays["mjmodel_address"]))
        scene.take(arrays["mjdata_buffer"], arrays["time"])
        try:
            return renderer.render(self._mode)
        except (AttributeError, ImportError, RuntimeError, mujoco.FatalError) as error:
            # What Gymnasium and PyOpenGL raise depends on what is missing.
            raise OptionError(f"{self._spec.id}: {NO_GL} ({error})") from error

    def close(self) -> None:
        """Frees the contexts."""
        for _, renderer in self._scenes.values():
            _close(renderer)
        self._scenes.clear()

    def _scene(self, address: int) -> tuple[SceneCopy, Any]:
        if (known := self._scenes.get(address)) is not None:
            return known
        while len(self._scenes) >= KEPT:
            _close(self._scenes.pop(next(iter(self._scenes)))[1])
        model = model_at(address)
        width, height = (self._arguments.get(name) or SIZE for name in ("width", "height"))
        model.vis.global_.offwidth = max(model.vis.global_.offwidth, width)
        model.vis.global_.offheight = max(model.vis.global_.offheight, height)
        scene = SceneCopy(model)
        renderer = self._make(
            model,
            scene.data,
            self._camera_config,
            width=width,
            height=height,
            **self._camera(model),
        )
        self._scenes[address] = (scene, renderer)
        return scene, renderer

    def _camera(self, model: Any) -> dict[str, Any]:
        camera = self._arguments.get("camera")
        if camera is None:
            return {}
        names = [model.camera(number).name for number in range(model.ncam)]
        if isinstance(camera, str):
            if camera not in names:
                raise OptionError(
                    f"{self._spec.id}: the model has no camera {camera!r}, only {names}"
                )
            return {"camera_name": camera}
        if not -1 <= camera < model.ncam:
            raise OptionError(
                f"{self._spec.id}: the model has no camera {camera}, only {model.ncam} ({names})"
            )
        return {"camera_id": camera}


def _camera_config(spec: EnvSpec) -> Any:
    """Where the camera of the original stands: it is written in its class, or beside it."""
    name, _, version = spec.id.removeprefix("mujoco/").rpartition("-")
    version = version if version == "v5" else "v4"
    stem = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    stem = {"humanoid_standup": "humanoidstandup"}.get(stem, stem)
    try:
        module = importlib.import_module(f"gymnasium.envs.mujoco.{stem}_{version}")
        original = getattr(module, f"{name}Env")
    except (ImportError, AttributeError):
        return None  # a Gymnasium without this version; its camera is MuJoCo's
    parameter = inspect.signature(original.__init__).parameters.get("default_camera_config")
    if parameter is not None:
        return parameter.default
    return getattr(module, "DEFAULT_CAMERA_CONFIG", None)


def _close(renderer: Any) -> None:
    # Where making a context failed, closing it fails as well.
    with contextlib.suppress(AttributeError):
        renderer.close()
