"""A model with something of most kinds that MuJoCo derives numbers of."""

from typing import Any

import mujoco

MODEL = """
<mujoco>
  <statistic extent="7"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body pos="0 0 {height}">
      <inertial pos="0 0 {offset}" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>
      <joint type="hinge" axis="0 1 0" armature="{armature}"/>
      <geom name="a" type="{shape}" size="{size}" pos="{along} 0 0" margin="{margin}"/>
      <geom type="box" size=".1 .2 .3" pos="0 0 .4" euler="20 30 40"/>
      <site name="s" pos="0 0 {offset}"/>
      <body pos=".3 0 .3">
        <joint type="slide" axis="0 0 1"/><joint type="ball"/><geom type="capsule" size=".1 .2"/>
        <site name="t"/>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="rope"><site site="s"/><site site="t"/></spatial></tendon>
  <actuator><motor tendon="rope" gear="3"/></actuator>
</mujoco>"""
PLAIN = {
    **{"height": 1, "offset": 0, "mass": 2, "inertia": 1, "armature": 0.1, "shape": "capsule"},
    **{"size": "0.1 0.2", "along": 0, "margin": 0},
}


def compiled(**written: Any) -> Any:
    return mujoco.MjModel.from_xml_string(MODEL.format(**PLAIN | written))
