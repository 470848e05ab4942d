"""The Python side of plugins that simulate with MuJoCo: `parallel_pool_mujoco/sdk.hpp` is the other side.

A plugin compiles its models here, with the MuJoCo that the user has, and hands them to its library. Each
hook is one call (docs/mujoco.md, "MuJoCo families"):

    from parallel_pool_mujoco import sdk

    @hookimpl
    def parallel_pool_translate(spec, options):
        return sdk.translated(spec, options)

    @hookimpl
    def parallel_pool_options(spec, options):
        return sdk.completed(spec, options, sdk.compile_file(MODEL), str(MODEL))

    @hookimpl
    def parallel_pool_renderer(spec, mode, arguments):
        return sdk.OffscreenRenderer(spec, mode, arguments)

The library was built without MuJoCo's headers and is not linked to it. It finds functions and struct
members through a table that `binding` makes from the installed package and checks against a living
model, so one wheel works with every MuJoCo from 3.6 on. MuJoCo itself is imported on first use.
"""

from parallel_pool.plugin_api import find_include

from parallel_pool_mujoco.sdk.binding import (
    INSTALL,
    MINIMUM,
    MujocoError,
    binding_address,
    opengl_refused,
    require_mujoco,
)
from parallel_pool_mujoco.sdk.doctor import check_mujoco, check_opengl, failed_check
from parallel_pool_mujoco.sdk.models import compile_file, compile_text, compiling, hand_over
from parallel_pool_mujoco.sdk.numerics import norms_are_fused
from parallel_pool_mujoco.sdk.overrides import overridden
from parallel_pool_mujoco.sdk.picture_options import Looks
from parallel_pool_mujoco.sdk.renderer import OffscreenRenderer
from parallel_pool_mujoco.sdk.task_options import completed, option_errors, translated
from parallel_pool_mujoco.sdk.viewer import OffscreenViewer, Viewer, backend, drawn_in_vain

__all__ = [
    "INSTALL",
    "MINIMUM",
    "Looks",
    "MujocoError",
    "OffscreenRenderer",
    "OffscreenViewer",
    "Viewer",
    "backend",
    "binding_address",
    "check_mujoco",
    "check_opengl",
    "compile_file",
    "compile_text",
    "compiling",
    "completed",
    "drawn_in_vain",
    "failed_check",
    "get_include",
    "hand_over",
    "norms_are_fused",
    "opengl_refused",
    "option_errors",
    "overridden",
    "require_mujoco",
    "translated",
]


def get_include() -> str:
    """The folder with `parallel_pool_mujoco/sdk.hpp`, for builds that do not use CMake."""
    return str(find_include("parallel_pool_mujoco"))
