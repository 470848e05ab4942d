"""Holds computed struct layouts against a living model and its data, member by member.

MuJoCo's own Python objects know where their arrays are and what their numbers are. Every member that
they show must be found at the computed place. A member that they do not show lies between two that
they do, so a shift cannot hide there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from parallel_pool_mujoco.sdk.layout import Member

# It has things of most kinds, so that few arrays are empty: an empty one has no place to compare.
MODEL = """
<mujoco>
  <option timestep="0.0123" gravity="1 2 3" density="4" viscosity="5"/>
  <size nkey="1" nuserdata="2"/>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="eye" pos="0 -3 1"/>
    <geom type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 0.05">
      <freejoint/>
      <geom size="0.1" mass="1"/>
      <site name="tip" pos="0 0 0.1"/>
    </body>
    <body name="arm" pos="1 0 1">
      <joint name="hinge" range="-1 1" limited="true"/>
      <geom size="0.1" mass="2"/>
      <site name="end" pos="0 0 0.2"/>
      <body pos="0 0 0.3">
        <joint name="slide" type="slide"/>
        <geom size="0.1" mass="3"/>
      </body>
    </body>
    <body name="ghost" mocap="true"/>
  </worldbody>
  <tendon><spatial name="rope"><site site="tip"/><site site="end"/></spatial></tendon>
  <equality><joint joint1="hinge" joint2="slide"/></equality>
  <contact><exclude body1="ball" body2="arm"/></contact>
  <actuator>
    <motor joint="hinge" ctrlrange="-1 1"/>
    <general joint="slide" dyntype="integrator"/>
  </actuator>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>
"""

_SCALARS: Mapping[str, Any] = {
    "int": ctypes.c_int,
    "mjtNum": ctypes.c_double,
    "mjtSize": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
}
_LEAST = {"mjModel": 250, "mjData": 60}
"""So many members must have been compared: fewer would prove little. MuJoCo 3.6 to 4.0 have more."""


def mismatch(members: Mapping[str, list[Member]]) -> str | None:
    """One sentence on a member that is not where `members` (by struct) says; None if all are there."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    data.time = 1234.5
    mujoco.mj_forward(model, data)
    for struct, living in (("mjModel", model), ("mjData", data)):
        compared = 0
        for member in members[struct]:
            verdict = _agrees(living, member)
            if verdict is None:
                continue
            if not verdict:
                return f"{struct}.{member.path} is not where mujoco.introspect says it is"
            compared += 1
        if compared < _LEAST[struct]:
            return f"only {compared} members of {struct} could be compared with a living one"
    return None


def _agrees(living: Any, member: Member) -> bool | None:
    """True if the member's place holds what Python shows. None: there is nothing to compare."""
    value = living
    for name in member.path.split("."):
        value = getattr(value, name, None)
    place = living._address + member.offset
    if member.type in _SCALARS:
        found = _SCALARS[member.type].from_address(place).value
        return found == value if isinstance(value, (int, float)) else None
    if not isinstance(value, np.ndarray) or value.size == 0:
        return None
    if member.type.endswith(" *"):
        address = ctypes.c_void_p.from_address(place).value
        if address is None:  # in the arena, and nothing needed it in this step
            return None
        right_size = member.type != "mjtNum *" or value.dtype == np.float64
        return address == value.ctypes.data and right_size
    if "[" in member.type:  # an array within the struct
        return ctypes.string_at(place, value.nbytes) == value.tobytes()
    return None
