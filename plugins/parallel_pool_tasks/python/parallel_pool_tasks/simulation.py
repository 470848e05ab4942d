"""What a task sees of the simulation: arrays of mjData by name, and the engine's functions.

The two ways to run a task differ only in what a read, a write and a call of the engine do: `Simulation` has
what they have in common. A read is a copy of what is there at that moment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NoReturn

import numpy as np
from parallel_pool_mujoco.sdk import changeable

from parallel_pool_tasks.compiled import Compiled
from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.ops import members
from parallel_pool_tasks.trace.value import Value

_PREFIXES = {
    "body": ("", "body_"),
    "geom": ("geom_",),
    "site": ("site_",),
    "cam": ("cam_",),
    "joint": (),
    "sensor": (),
    "actuator": ("actuator_", ""),
    "tendon": ("ten_",),
}
"""The kinds of things that have names, and how mjData's arrays of them begin."""

_JOINT_SIZES = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}
"""By mjtJoint, how many numbers of qpos and of qvel a joint has."""


class Simulation(ABC):
    """One simulation. Attributes are arrays of mjData (`sim.qpos[:]`) and sizes of the model (`sim.nq`)."""

    def __init__(self, model: Any, data: Any) -> None:
        """model: as it was compiled; data: any mjData of it, for the shapes of its arrays."""
        self.model = Compiled(model, model, self._write_model)
        """The compiled mjModel. What is assigned to is written into the environment's own."""
        self._model, self._data = model, data
        self.begin(in_reset=True)

    # ---- by name ------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "time":
            return self.read("time", np.zeros((), np.int64))
        array = getattr(self._data, name, None)
        if isinstance(array, np.ndarray):
            return self._field(name, array)
        size = getattr(self._model, name, None)
        if isinstance(size, (int, np.integer)):
            return int(size)
        raise refused(
            f"there is no sim.{name}, expected an array of mjData such as sim.qpos, or a size of mjModel such "
            "as sim.nq"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "time":
            self.write("time", np.zeros((), np.int64), value)
        elif (
            name.startswith("_")
            or name == "model"
            or isinstance(vars(type(self)).get(name), property)
        ):
            object.__setattr__(self, name, value)
        else:
            raise refused(f"to write numbers into it: sim.{name}[:] = ...")

    def _field(self, name: str, array: np.ndarray[Any, Any]) -> Field:
        if array.dtype != np.float64:
            raise refused(
                f"sim.{name} has integers, which are not in the language yet; sim.model.{name}, if there is "
                "one, is a constant"
            )
        return Field(self, name, np.arange(array.size).reshape(array.shape))

    def body(self, name: str) -> Named:
        """A body: `sim.body("torso").xpos[:]`."""
        return Named(self, "body", name)

    def geom(self, name: str) -> Named:
        """A geom: `sim.geom("foot").xpos[:]`."""
        return Named(self, "geom", name)

    def site(self, name: str) -> Named:
        """A site: `sim.site("tip").xpos[:]`."""
        return Named(self, "site", name)

    def camera(self, name: str) -> Named:
        """A camera: `sim.camera("track").xpos[:]`."""
        return Named(self, "cam", name)

    def joint(self, name: str) -> Named:
        """A joint: its `qpos`, `qvel` and `qacc`."""
        return Named(self, "joint", name)

    def sensor(self, name: str) -> Named:
        """A sensor: its `data`."""
        return Named(self, "sensor", name)

    def actuator(self, name: str) -> Named:
        """An actuator: its `ctrl`, `force`, `length`, `velocity`."""
        return Named(self, "actuator", name)

    def tendon(self, name: str) -> Named:
        """A tendon: its `length` and `velocity`."""
        return Named(self, "tendon", name)

    # ---- what the two ways do -----------------------------------------------------------------------

    @abstractmethod
    def read(self, name: str, places: np.ndarray[Any, Any]) -> Any:
        """The numbers of an array at these places, in their shape."""

    @abstractmethod
    def put(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """Writes numbers, broadcast to the shape of the places."""

    @abstractmethod
    def put_in_model(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """Likewise, into a member of the environment's own mjModel."""

    @abstractmethod
    def call(self, op: str, *numbers: int) -> None:
        """One of the machine's operations that have no operands but whole numbers (src/ops.hpp)."""

    # ---- what is the same ---------------------------------------------------------------------------

    def begin(self, *, in_reset: bool) -> None:
        """Before `reset` or `step` of the task runs."""
        self._in_reset, self._acted, self._constant = in_reset, False, False

    def write(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """Writes numbers, broadcast to the shape of the places."""
        self._acted = True
        self.put(name, places, value)

    def _write_model(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        if name not in members():
            raise refused(
                f"sim.model.{name} is none of the numbers that a task writes (docs/tasks.md): MuJoCo derives "
                "it from others, or lays out its memory by it"
            )
        if not self._in_reset:
            raise refused("a step does not write the model: reset does")
        if self._constant:
            raise refused("the model is written before sim.set_const(), which derives from it")
        if name in ("actuator_dynprm", "actuator_gainprm", "actuator_biasprm"):
            old = getattr(self._model, name)
            plain = changeable.PARAMETERS.allows(old, old, self._model)
            if not plain[np.unique(places // old.shape[1])].all():
                raise refused(f"sim.model.{name} of such an actuator decides where its state is")
        self.put_in_model(name, places, value)

    def set_const(self) -> None:
        """Derives what follows from the numbers of the model that this reset has written: mj_setConst, and
        what that leaves alone. The simulation is then that of a new mjData, as at the beginning of a reset.
        """
        if not self._in_reset or self._constant:
            raise refused("sim.set_const() comes once, in reset")
        if self._acted:
            raise refused(
                "sim.set_const() begins with a new mjData: what is written to that comes later"
            )
        self._constant = True
        self.call("set_const")

    def step(self, count: int = 1) -> None:
        """mj_step, so many times."""
        self._engine("mj_step", _whole(count))

    def forward(self) -> None:
        """mj_forward: computes all that follows from positions, velocities and controls."""
        self._engine("forward")

    def step1(self) -> None:
        """mj_step1."""
        self._engine("mj_step1")

    def step2(self) -> None:
        """mj_step2."""
        self._engine("mj_step2")

    def control_step(self, count: int = 1) -> None:
        """dm_control's step: mj_step2, mj_step count - 1 times, mj_step1."""
        self._engine("control_step", _whole(count))

    def rne_post_constraint(self) -> None:
        """mj_rnePostConstraint: computes cacc, cfrc_int and cfrc_ext."""
        self._engine("rne_post_constraint")

    def _engine(self, op: str, *numbers: int) -> None:
        self._acted = True
        self.call(op, *numbers)


def _whole(count: Any) -> int:
    if isinstance(count, Value) or int(count) != count or not 1 <= count <= 10_000:
        raise refused(f"a number of steps is {count!r}, expected a whole number, 1 .. 10,000")
    return int(count)


class Field:
    """An array of mjData, or a part of one: a place, of which `[...]` reads a copy or writes."""

    def __init__(self, sim: Simulation, name: str, places: np.ndarray[Any, Any]) -> None:
        self._sim, self._name, self._places = sim, name, places

    @property
    def shape(self) -> tuple[int, ...]:
        """As that of an array."""
        return tuple(self._places.shape)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, key: Any) -> Any:
        return self._sim.read(self._name, self._found(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._sim.write(self._name, self._found(key), value)

    def _found(self, key: Any) -> np.ndarray[Any, Any]:
        try:
            return np.asarray(self._places[key])
        except (IndexError, TypeError) as error:
            raise refused(f"sim.{self._name} has the shape {self.shape}: {error}") from None

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise refused(f"sim.{self._name} is a place; sim.{self._name}[:] reads what is there now")

    def __array_ufunc__(self, *args: Any, **kwargs: Any) -> NoReturn:
        self.__array__()

    def __array_function__(self, *args: Any, **kwargs: Any) -> NoReturn:
        self.__array__()

    def _operator(self, *other: Any) -> NoReturn:
        self.__array__()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _operator
    __rtruediv__ = __neg__ = __abs__ = __pow__ = __lt__ = __le__ = __gt__ = __ge__ = _operator
    __bool__ = _operator


class Named:
    """A thing of the model by its name; its attributes are the parts of mjData's arrays that are of it."""

    def __init__(self, sim: Simulation, kind: str, name: str) -> None:
        import mujoco

        kinds = {"cam": "camera"}
        self._sim, self._kind = sim, kind
        object_type = getattr(mujoco.mjtObj, f"mjOBJ_{kinds.get(kind, kind).upper()}")
        self._number = mujoco.mj_name2id(sim._model, object_type, name)
        if self._number < 0:
            count = getattr(sim._model, {"joint": "njnt", "actuator": "nu"}.get(kind, f"n{kind}"))
            found = filter(
                None, (mujoco.mj_id2name(sim._model, object_type, i) for i in range(count))
            )
            names = ", ".join(found) or "some without a name"
            raise refused(f"the model has no {kind} {name!r}, only {names}")

    def __getattr__(self, name: str) -> Field:
        if name.startswith("_"):
            raise AttributeError(name)
        sim, number = self._sim, self._number
        if self._kind == "joint" and name in ("qpos", "qvel", "qacc"):
            sizes = _JOINT_SIZES[int(sim._model.jnt_type[number])]
            first = sim._model.jnt_qposadr if name == "qpos" else sim._model.jnt_dofadr
            return self._part(name, int(first[number]), sizes[name != "qpos"])
        if self._kind == "sensor" and name == "data":
            return self._part(
                "sensordata", int(sim._model.sensor_adr[number]), int(sim._model.sensor_dim[number])
            )
        for prefix in _PREFIXES[self._kind]:
            if isinstance(getattr(sim._data, prefix + name, None), np.ndarray):
                whole: Field = getattr(sim, prefix + name)
                return Field(sim, prefix + name, np.atleast_1d(whole._places[number]))
        raise refused(f"mjData has no {name} of a {self._kind}")

    def _part(self, name: str, first: int, count: int) -> Field:
        return Field(self._sim, name, np.arange(first, first + count))
