"""The simulation that a task sees: arrays of mjData by name, and the engine's functions.

The two ways to run a task differ only in what a read, a write and a call of the engine do: `Simulation` has
what they have in common. A read is a copy of what is there at that moment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from parallel_pool_mujoco.sdk import changeable

from parallel_pool_tasks.compiled import Compiled
from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.ops import members
from parallel_pool_tasks.trace.value import Value

Geoms = tuple[int, ...] | None
"""Numbers of geoms; None: all."""

_PREFIXES = {
    "body": ("", "body_"),
    "geom": ("geom_",),
    "site": ("site_",),
    "cam": ("cam_",),
    "joint": (),
    "sensor": (),
    "actuator": ("actuator_", ""),
    "tendon": ("ten_",),
    "equality": ("eq_",),
}
"""The kinds of things that have names, and how mjData's arrays of them begin."""

_TYPES: Mapping[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(np.float64): np.dtype(np.float64),
    np.dtype(np.int32): np.dtype(np.int64),
    np.dtype(np.uint8): np.dtype(bool),
    np.dtype(bool): np.dtype(bool),
}
"""The dtypes of mjData's arrays, and what they are to a task."""

OBJECTS = {"body": "BODY", "xbody": "XBODY", "geom": "GEOM", "site": "SITE", "camera": "CAMERA"}
"""The things whose velocities a task may ask for, as mjtObj has them (src/ops.hpp)."""

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
        if array.dtype not in _TYPES:
            raise refused(f"sim.{name} has numbers of {array.dtype}, which a task cannot read")
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

    def equality(self, name: str) -> Named:
        """An equality constraint: whether it is `active`."""
        return Named(self, "equality", name)

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

    @abstractmethod
    def of_contacts(self, op: str, first: Geoms, second: Geoms) -> Any:
        """Counts the contacts between geoms of both sets, or adds up their forces; None is the set of all."""

    @abstractmethod
    def rays(
        self, points: Any, directions: Any, shape: tuple[int, ...], options: RayOptions
    ) -> tuple[Any, Any]:
        """Distances and geoms, of that shape; points and directions are (3,), or as many as `shape` says."""

    @abstractmethod
    def velocity(self, kind: str, number: int, local: bool) -> Any:
        """mj_objectVelocity."""

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

    def n_contacts(self, a: Any = None, b: Any = None) -> Any:
        """The number of contacts that push between a and b: an int64.

        Each is the name of a geom or of a body, such a thing (`sim.body("torso")`), a list of these, or None:
        everything. Of a body its own geoms count.
        """
        return self.of_contacts("n_contacts", self._geoms(a), self._geoms(b))

    def touching(self, a: Any, b: Any = None) -> Any:
        """True if there is a contact that pushes between a and b."""
        return self.n_contacts(a, b) > 0

    def contact_force(self, a: Any = None, b: Any = None) -> Any:
        """The sum of the normal forces of these contacts, in N."""
        return self.of_contacts("contact_force", self._geoms(a), self._geoms(b))

    def _geoms(self, which: Any) -> Geoms:
        if which is None:
            return None
        if isinstance(which, (list, tuple)):
            if not which or None in which:
                raise refused(f"contacts are of geoms and bodies, not of {which!r}")
            parts = [self._geoms(each) or () for each in which]
            return tuple(sorted({geom for part in parts for geom in part}))
        if isinstance(which, str):
            is_geom, is_body = (self._number(kind, which) >= 0 for kind in ("GEOM", "BODY"))
            found = self.body(which) if is_body else self.geom(which)
            if is_geom and is_body and self._geoms(found) != self._geoms(self.geom(which)):
                raise refused(
                    f"{which!r} is a geom and a body: sim.geom({which!r}) or sim.body({which!r})"
                )
            which = found
        kind, number = (
            (which._kind, which._number) if isinstance(which, Named) else (repr(which), -1)
        )
        if kind == "geom":
            return (number,)
        if kind != "body":
            raise refused(f"contacts are of geoms and bodies, not of {kind}")
        geoms = np.flatnonzero(self._model.geom_bodyid == number)
        if not geoms.size:
            raise refused("this body has no geom")
        return tuple(int(each) for each in geoms)

    def _number(self, kind: str, name: str) -> int:
        import mujoco

        return int(mujoco.mj_name2id(self._model, getattr(mujoco.mjtObj, f"mjOBJ_{kind}"), name))

    def ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: bool = True,
        bodyexclude: str | int = -1,
    ) -> tuple[Any, Any]:
        """mj_ray: from points along directions to the nearest surface.

        pnt, vec: three numbers, or rows of three, which may be values; the rest are constants: six bools,
        whether geoms of the world count, and a body that does not, by name or number. Returns the distances in
        lengths of vec, and the numbers of the geoms (int64): -1 where there is nothing.
        """
        shapes = [np.shape(pnt), np.shape(vec)]
        rows = [each[:-1] for each in shapes]
        fit = all(len(each) in (1, 2) and each[-1] == 3 for each in shapes) and (0,) not in rows
        if not fit or (rows[0] and rows[1] and rows[0] != rows[1]):
            raise refused(f"rays are of rows of three numbers, not of {shapes[0]} and {shapes[1]}")
        body = self.body(bodyexclude)._number if isinstance(bodyexclude, str) else bodyexclude
        groups = (True,) * 6 if geomgroup is None else tuple(bool(each) for each in geomgroup)
        if len(groups) != 6 or not -1 <= body < self._model.nbody:
            raise refused(
                f"a ray has geomgroup={geomgroup!r}, bodyexclude={bodyexclude!r}: expected six bools, a body"
            )
        options = RayOptions(groups, bool(flg_static), int(body))
        return self.rays(pnt, vec, rows[0] or rows[1], options)

    def object_velocity(self, kind: str, name: str, flg_local: bool = False) -> Any:
        """mj_objectVelocity: three numbers of rotation in rad/s, three of translation in m/s.

        kind: "body" (its inertial frame), "xbody" (its own), "geom", "site" or "camera". flg_local: in the
        frame of the thing, else in the world's.
        """
        if kind not in OBJECTS:
            raise refused(f"the velocity of a {kind!r}, expected one of {', '.join(OBJECTS)}")
        thing = getattr(self, "body" if kind == "xbody" else kind)(name)
        return self.velocity(kind, thing._number, bool(flg_local))

    def step(self, count: int = 1) -> None:
        """Calls mj_step `count` times."""
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


@dataclass(frozen=True)
class RayOptions:
    """The arguments of mj_ray that are constants."""

    geomgroup: tuple[bool, ...]
    flg_static: bool
    bodyexclude: int


def type_of(array: np.ndarray[Any, Any]) -> np.dtype[Any]:
    """Returns the dtype that an array of mjData has for a task."""
    return _TYPES[array.dtype]


class Field:
    """An array of mjData, or a part of one: a place, of which `[...]` reads a copy or writes."""

    def __init__(self, sim: Simulation, name: str, places: np.ndarray[Any, Any]) -> None:
        self._sim, self._name, self._places = sim, name, places

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array, or of the part."""
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
            counts = {"joint": "njnt", "actuator": "nu", "equality": "neq"}
            count = getattr(sim._model, counts.get(kind, f"n{kind}"))
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
