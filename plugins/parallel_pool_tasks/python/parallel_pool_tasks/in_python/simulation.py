"""The simulation of a task that runs in Python: the package mujoco."""

from __future__ import annotations

import copy
import ctypes
import functools
from typing import Any

import mujoco
import numpy as np
from parallel_pool_mujoco.sdk import MujocoError
from parallel_pool_mujoco.sdk.binding import mujoco_library
from parallel_pool_mujoco.sdk.derived import derive

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.ops import inputs
from parallel_pool_tasks.simulation import Simulation

_MOST = 1e10
"""src/members.hpp."""


class RealSimulation(Simulation):
    """Reads, writes and calls at once."""

    def __init__(self, compiled: Any) -> None:
        self._own = copy.copy(compiled)
        self._written: set[str] = set()
        super().__init__(compiled, mujoco.MjData(self._own))

    @property
    def own(self) -> tuple[Any, Any]:
        """The environment's mjModel and mjData, for renderers."""
        return self._own, self._data

    def begin(self, *, in_reset: bool) -> None:
        """See Simulation. A reset begins with the model as it was compiled."""
        super().begin(in_reset=in_reset)
        if not in_reset:
            return
        if self._written:
            into, compiled = (ctypes.c_void_p(e._address) for e in (self._own, self._model))
            mujoco_library().mj_copyModel(into, compiled)
            self._written.clear()
        mujoco.mj_resetData(self._own, self._data)

    def read(self, name: str, places: np.ndarray[Any, Any]) -> Any:
        """See Simulation."""
        if name == "time":
            return np.float64(self._data.time)
        return getattr(self._data, name).reshape(-1)[np.array(places, order="C")]

    def put(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """See Simulation."""
        if name not in inputs():
            raise refused(f"MuJoCo computes mjData.{name}, so a task writes what it follows from")
        if name == "time":
            self._data.time = float(value)
        else:
            getattr(self._data, name).reshape(-1)[places] = value

    def put_in_model(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """See Simulation."""
        for each in np.asarray(value, np.float64).reshape(-1):
            if not abs(each) <= _MOST:
                raise refused(
                    f"{each:f} is written to sim.model.{name}, expected a number up to 1e10 in size"
                )
        self._written.add(name)
        *owners, last = name.split(".")
        owner = functools.reduce(getattr, owners, self._own)
        array = getattr(owner, last)
        if isinstance(array, np.ndarray):
            array.reshape(-1)[places] = value
        else:
            setattr(owner, last, float(value))

    def call(self, op: str, *numbers: int) -> None:
        """See Simulation."""
        if op == "set_const":
            self._derive()
        else:
            _CALLS[op](self._own, self._data, *numbers)

    def _derive(self) -> None:
        def bytes_of(model: Any, name: str) -> bytes:
            return np.asarray(functools.reduce(getattr, name.split("."), model)).tobytes()

        changed = [
            each
            for each in self._written
            if bytes_of(self._own, each) != bytes_of(self._model, each)
        ]
        try:
            derive(self._own, self._model, changed)
        except MujocoError as error:
            raise refused(str(error).removeprefix("model_overrides: ")) from None
        mujoco.mj_resetData(self._own, self._data)


def _control_step(model: Any, data: Any, count: int) -> None:
    left = count
    if model.opt.integrator != mujoco.mjtIntegrator.mjINT_RK4:
        mujoco.mj_step2(model, data)
        left -= 1
    if left:
        mujoco.mj_step(model, data, left)
    mujoco.mj_step1(model, data)


_CALLS = {
    "mj_step": mujoco.mj_step,
    "forward": mujoco.mj_forward,
    "mj_step1": mujoco.mj_step1,
    "mj_step2": mujoco.mj_step2,
    "control_step": _control_step,
    "rne_post_constraint": mujoco.mj_rnePostConstraint,
}
