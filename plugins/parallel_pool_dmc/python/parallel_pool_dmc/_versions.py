"""dm_control as it is installed, and whether the MuJoCo that is installed works with it."""

import functools
import importlib.util
import sys
import warnings
from importlib.metadata import version
from typing import Any

from parallel_pool.errors import LibraryError
from parallel_pool.plugin_api import Check
from parallel_pool_mujoco.sdk import (
    MujocoError,
    drawn_in_vain,
    failed_check,
    opengl_refused,
    require_mujoco,
)

INSTALL = "pip install 'dm-control==1.0.50' 'mujoco==3.17.0'"
if sys.version_info >= (3, 13):
    # dm_control's labmaze, which the suite does not need, has no wheel for newer Pythons (docs/dmc.md).
    INSTALL = "pip install 'parallel-pool[dmc]'; pip install --no-deps 'dm-control==1.0.50' 'mujoco==3.17.0'"


@functools.cache
def require_suite() -> Any:
    """The module dm_control.suite. Raises MujocoError with the command that installs what works."""
    if importlib.util.find_spec("dm_control") is None:
        raise MujocoError(
            f"the models come with the package dm-control, which is not installed: run `{INSTALL}`"
        )
    # Before the import: dm_control starts glfw, which then forgets the error that this looks for.
    drawn_in_vain()
    require_mujoco()
    try:
        with warnings.catch_warnings():
            # dm_control looks for a display, and warns if there is none.
            warnings.simplefilter("ignore")
            from dm_control import suite

        # For each model, dm_control reads the names of mjModel's and mjData's arrays from a table of
        # its own, and raises AttributeError for one that this MuJoCo lacks.
        suite.load("pendulum", "swingup")
    except LibraryError:
        raise
    except (AttributeError, ImportError, TypeError) as error:
        raise MujocoError(
            f"dm_control {version('dm-control')} does not work with mujoco {_mujoco_version()} "
            f"({type(error).__name__}: {error}): run `{INSTALL}`, or install other versions that "
            "were made for each other"
        ) from error
    except RuntimeError as error:
        if "MUJOCO_GL" not in str(error):
            raise
        # dm_control takes fewer spellings of MUJOCO_GL than MuJoCo.
        raise opengl_refused("dm_control", error) from error
    return suite


def _mujoco_version() -> str:
    """The version of the module, which may be another distribution's than mujoco."""
    import mujoco

    return str(mujoco.__version__)


def check_dm_control() -> Check:
    """A line for `parallel-pool doctor`."""
    try:
        require_suite()
    except MujocoError as error:
        return failed_check("dm_control", error, INSTALL)
    return Check(
        "dm_control",
        True,
        f"{version('dm-control')}, works with mujoco {_mujoco_version()}",
    )
