"""The models of tasks: where their XML is, and what it is compiled to."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np
from parallel_pool.plugin_api import places
from parallel_pool_mujoco import sdk

from parallel_pool_tasks.errors import TaskError
from parallel_pool_tasks.task import Task


def gymnasium_model(name: str) -> Path:
    """One of the models of Gymnasium's MuJoCo tasks, "half_cheetah.xml". Gymnasium is not imported."""
    path = f"gymnasium/envs/mujoco/assets/{name}"
    return next(iter(places(path)), Path(path))


def compiled(task: type[Task]) -> tuple[Any, str]:
    """The class's mjModel, which is shared, so read it only; and where it is from.

    Raises TaskError, MujocoError.
    """
    given: Any = inspect.getattr_static(task, "model", None)
    given = given.__func__ if isinstance(given, (staticmethod, classmethod)) else given
    if isinstance(given, (str, Path)):
        path = Path(given).expanduser()
        if not path.is_absolute():
            definer = next(each for each in task.__mro__ if "model" in vars(each))
            path = Path(getattr(definer, "folder", task.folder)) / path
        return sdk.compile_file(os.fspath(path)), os.fspath(path)
    if not callable(given):
        raise TaskError(
            f"{task.__name__}.model is {given!r}, expected an XML file or a function that returns an mjModel"
        )
    with sdk.compiling():
        model = given()
    if type(model).__name__ != "MjModel":
        raise TaskError(f"{task.__name__}.model returned {model!r}, expected a mujoco.MjModel")
    return model, f"the model of {task.__name__}"


def bounds_of(task: type[Task], model: Any) -> list[tuple[float, float]]:
    """The bounds of each number of an action. Raises TaskError."""
    if task.action_space is None:
        ranges = np.asarray(model.actuator_ctrlrange, np.float64)
        return [(float(low), float(high)) for low, high in ranges]
    try:
        low, high = np.broadcast_arrays(*(np.asarray(each, float) for each in task.action_space))
        if low.ndim != 1:
            low, high = (np.broadcast_to(each, model.nu) for each in (low, high))
    except (TypeError, ValueError) as error:
        raise TaskError(f"{task.__name__}.action_space is {task.action_space!r}: {error}") from None
    return list(zip(low.tolist(), high.tolist(), strict=True))


def seconds_of_a_step(task: Task, model: Any) -> float:
    """`task.dt`, as Gymnasium computes it."""
    return float(model.opt.timestep * task.frame_skip)
