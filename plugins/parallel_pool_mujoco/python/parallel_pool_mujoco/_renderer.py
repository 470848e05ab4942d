"""Pictures by Gymnasium's own renderer, of a copy of an environment's data: equal pixel by pixel."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from parallel_pool.errors import LibraryError, OptionError
from parallel_pool.plugin_api import EnvSpec

from parallel_pool_mujoco.sdk import Looks, OffscreenRenderer, backend


class GymnasiumRenderer(OffscreenRenderer):
    """Draws with the viewer that Gymnasium's MujocoRenderer sets up, whichever its version."""

    def __init__(self, spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> None:
        super().__init__(spec, mode, arguments)
        try:
            from gymnasium.envs.mujoco.mujoco_rendering import MujocoRenderer
        except LibraryError:
            raise
        except ImportError as error:
            raise OptionError(
                f"{spec.id}: Gymnasium's renderer cannot be imported ({error}): "
                "run `pip install 'parallel-pool-mujoco[render]'`"
            ) from None
        self._make: Any = MujocoRenderer

    def viewer(self, model: Any, data: Any, looks: Looks) -> GymnasiumViewer:
        """See `OffscreenRenderer`."""
        config = looks.camera_config or original_camera(self.spec) or {}
        camera = looks.camera_number(self.spec.id, model)
        # Without it Gymnasium would try glfw first, which reports no error where there is no display.
        with _environment(MUJOCO_GL=backend()):
            renderer = self._make(
                model,
                data,
                config,
                width=looks.width,
                height=looks.height,
                max_geom=looks.max_geom,
                visual_options=looks.visual_options,
                **({} if camera is None else {"camera_id": camera}),
            )
            return GymnasiumViewer(renderer, data, looks_around="lookat" not in config)


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    """Sets these environment variables in a block. Viewers are made one at a time."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class GymnasiumViewer:
    """Gymnasium's OffScreenViewer as a `parallel_pool_mujoco.sdk.Viewer`."""

    def __init__(self, renderer: Any, data: Any, looks_around: bool) -> None:
        """looks_around: no configuration says where the free camera looks to."""
        import mujoco

        # The renderer is kept because it keeps the viewer, which frees its context when it goes.
        self._renderer, self._data = renderer, data
        self._viewer = renderer._get_viewer("rgb_array")
        self.cam, self.vopt, self.pert = self._viewer.cam, self._viewer.vopt, self._viewer.pert
        self.scn, self.con = self._viewer.scn, self._viewer.con
        self.viewport = self._viewer.viewport
        camera, kinds = renderer.camera_id, mujoco.mjtCamera
        free = camera is None or camera == -1
        self.cam.type = kinds.mjCAMERA_FREE if free else kinds.mjCAMERA_FIXED
        self.cam.fixedcamid = -1 if free else camera
        self._looks_around = free and looks_around
        self._centres: dict[int, Any] = {}

    def make_context_current(self) -> None:
        """See `parallel_pool_mujoco.sdk.Viewer`."""
        self._viewer.make_context_current()

    def aim(self, env_id: int) -> None:
        """A free camera without a place looks to where the shapes were at its first picture."""
        if not self._looks_around:
            return
        if env_id not in self._centres:
            positions = self._data.geom_xpos
            self._centres[env_id] = [np.median(positions[:, axis]) for axis in range(3)]
        self.cam.lookat[:] = self._centres[env_id]

    def free(self) -> None:
        """Frees the viewer only: the renderer's close() would close windows of others as well."""
        self._viewer.free()


@functools.cache
def original_camera(spec: EnvSpec) -> Any:
    """The camera of the original, which its class or its module defines."""
    name, _, version = spec.id.removeprefix("mujoco/").rpartition("-")
    version = version if version == "v5" else "v4"
    stem = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    stem = {"humanoid_standup": "humanoidstandup"}.get(stem, stem)
    try:
        # Threads that import modules of one folder at the same time deadlock, unless its own is there.
        importlib.import_module("gymnasium.envs.mujoco")
        module = importlib.import_module(f"gymnasium.envs.mujoco.{stem}_{version}")
        original = getattr(module, f"{name}Env")
    except (ImportError, AttributeError):
        return None  # a Gymnasium without this version; its camera is MuJoCo's
    parameter = inspect.signature(original.__init__).parameters.get("default_camera_config")
    if parameter is not None:
        return parameter.default
    return getattr(module, "DEFAULT_CAMERA_CONFIG", None)
