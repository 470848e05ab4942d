"""Pictures as dm_control's `physics.render` gives them, of a copy of an environment's data."""

from collections.abc import Mapping
from typing import Any

from parallel_pool.plugin_api import EnvSpec
from parallel_pool_mujoco.sdk import Looks, OffscreenRenderer, OffscreenViewer, Viewer

WIDTH, HEIGHT = 320, 240
"""dm_control's width and height, where none are given."""


class SuiteRenderer(OffscreenRenderer):
    """The usual camera is the free one, and lines of rangefinders are not drawn."""

    def __init__(self, spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> None:
        size = {
            "width": arguments.get("width") or WIDTH,
            "height": arguments.get("height") or HEIGHT,
        }
        super().__init__(spec, mode, {**arguments, **size})

    def viewer(self, model: Any, data: Any, looks: Looks) -> Viewer:
        """See `OffscreenRenderer`."""
        import mujoco

        viewer = OffscreenViewer(self.spec.id, model, looks)
        rangefinder = int(mujoco.mjtVisFlag.mjVIS_RANGEFINDER)
        if rangefinder not in (looks.visual_options or {}):
            viewer.vopt.flags[rangefinder] = False
        return viewer
