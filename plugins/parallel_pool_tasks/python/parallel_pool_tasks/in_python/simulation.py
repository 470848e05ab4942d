"""The simulation of a task that runs in Python: the package mujoco."""

from __future__ import annotations

import copy
import ctypes
import functools
from typing import Any

import mujoco
import numpy as np
from parallel_pool_mujoco.sdk import MujocoError, changeable
from parallel_pool_mujoco.sdk.binding import mujoco_library
from parallel_pool_mujoco.sdk.derived import derive

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.ops import inputs
from parallel_pool_tasks.simulation import OBJECTS, Geoms, RayOptions, Simulation, type_of

_NOTHING, _POSITIONS, _FORCES = range(3)
"""MuJoCo has computed one of these in this call (src/machine.hpp)."""


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
        self._computed = _FORCES if in_reset else _NOTHING
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
        array = getattr(self._data, name)
        return array.reshape(-1)[np.array(places, order="C")].astype(type_of(array))[()]

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
            if not abs(each) <= changeable.HUGE:
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
            self._computed = {"mj_step1": _POSITIONS, "control_step": _POSITIONS}.get(
                op, self._computed if op == "rne_post_constraint" else _FORCES
            )

    def of_contacts(self, op: str, first: Geoms, second: Geoms) -> Any:
        """See Simulation."""
        self._expect(_POSITIONS if op == "n_contacts" else _FORCES)
        count, force, sixth = 0, 0.0, np.zeros(6)
        for number in range(self._data.ncon):
            contact = self._data.contact[number]
            one, two = (int(each) for each in contact.geom)
            if contact.efc_address < 0 or min(one, two) < 0:
                continue
            if _between(first, second, one, two) or _between(first, second, two, one):
                count += 1
                mujoco.mj_contactForce(self._own, self._data, number, sixth)
                force += sixth[0]
        return np.int64(count) if op == "n_contacts" else np.float64(force)

    def rays(
        self, points: Any, directions: Any, shape: tuple[int, ...], options: RayOptions
    ) -> tuple[Any, Any]:
        """See Simulation."""
        groups = np.array(options.geomgroup, np.uint8)
        distances, geoms = np.zeros(shape), np.zeros(shape, np.int64)
        found = np.zeros(1, np.int32)
        points, directions = (
            np.broadcast_to(np.asarray(each, np.float64), (*shape, 3))
            for each in (points, directions)
        )
        if (np.linalg.norm(directions, axis=-1) < mujoco.mjMINVAL).any():
            raise refused(
                "a ray has no direction: its vector is 0, and MuJoCo would end the process"
            )
        for row in np.ndindex(shape):
            distances[row] = mujoco.mj_ray(
                self._own,
                self._data,
                points[row].copy(),
                directions[row].copy(),
                groups,
                options.flg_static,
                options.bodyexclude,
                found,
            )
            geoms[row] = found[0]
        return distances[()], geoms[()]

    def velocity(self, kind: str, number: int, local: bool) -> Any:
        """See Simulation."""
        self._expect(_POSITIONS)
        result = np.zeros(6)
        object_type = getattr(mujoco.mjtObj, f"mjOBJ_{OBJECTS[kind]}")
        mujoco.mj_objectVelocity(self._own, self._data, object_type, number, result, local)
        return result

    def _expect(self, needed: int) -> None:
        if self._computed < needed:
            raise refused(
                "this is of the last sim.step() or sim.forward(), and none came before it in this step"
                if self._computed == _NOTHING
                else "mj_step1, which comes last in control_step, computes no forces: sim.forward() first"
            )

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


def _between(first: Geoms, second: Geoms, one: int, two: int) -> bool:
    return (first is None or one in first) and (second is None or two in second)


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
