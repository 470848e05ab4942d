"""The numbers of a model that `model_overrides` may change, and their ranges.

Everything else is refused. MuJoCo checks a model when it compiles it, and no more afterwards: an index, a
kind or a size that is written into a compiled model is believed, wherever in memory it points. That
includes some arrays of floats: `eq_data` and `wrap_prm` hold indices, `actuator_delay` decides the size of a
buffer, and which parameters of a DC motor are 0 decides where its state is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
HUGE = 1e10
"""MuJoCo's mjMAXVAL: a state beyond is a bad one."""
TINY = 1e-15
"""MuJoCo's mjMINVAL: its compiler refuses smaller masses."""
_LONG = 1000
"""Iterations that a step may be asked for; a step must end."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for a member: `allows(new, old, model)` is True for each number, or row, that is fine."""

    expected: str
    allows: Callable[[Array, Array, Any], Any]


def _between(low: float, high: float, expected: str = "") -> Rule:
    return Rule(
        expected or f"a number from {low:g} to {high:g}",
        lambda new, old, model: (low <= new) & (new <= high),
    )


def _flags(enum: str, end: str) -> Rule:
    """An int whose bits are the members of an enumeration."""

    def allows(new: Array, old: Array, model: Any) -> Any:
        bits = int(getattr(_enum(enum), end))
        return (new >= 0) & (new < 2.0**bits)

    return Rule(f"flags of {enum}, added up", allows)


def _one_of(enum: str) -> Rule:
    def allows(new: Array, old: Array, model: Any) -> Any:
        return np.isin(new, [int(each) for each in _enum(enum).__members__.values()])

    return Rule(f"a number of {enum}", allows)


def _enum(name: str) -> Any:
    import mujoco

    return getattr(mujoco, name)


def _kinds(enum: str, prefix: str, names: str) -> list[int]:
    return [int(getattr(_enum(enum), f"{prefix}_{name}")) for name in names.split()]


def _as_before(new: Array, old: Array) -> Any:
    """Above 0 where it was above 0, and 0 where it was 0: what is 0 is not used, or not laid out."""
    return np.where(old == 0, new == 0, new >= TINY)


def _mass(new: Array, old: Array, model: Any) -> Any:
    return np.where(old > 0, new >= TINY, new >= 0)


def _inertia(new: Array, old: Array, model: Any) -> Any:
    greatest = new.max(axis=-1)
    possible = new.sum(axis=-1) >= 2 * greatest * (1 - 1e-9)
    return possible & _mass(new, old, model).all(axis=-1)


def _unit(new: Array, old: Array, model: Any) -> Any:
    return np.abs(np.sqrt((new * new).sum(axis=-1)) - 1) < 1e-6


def _positions(new: Array, old: Array, model: Any) -> Any:
    """True where an array like qpos has a unit quaternion for each rotation."""
    free, ball = _kinds("mjtJoint", "mjJNT", "FREE BALL")
    result = np.ones(new.shape, bool)
    for kind, start in zip(model.jnt_type, model.jnt_qposadr, strict=True):
        if kind in (free, ball):
            begin = start + 3 * (kind == free)
            result[begin : begin + 4] = _unit(new[begin : begin + 4], old, model)
    return result


def _geom_sizes(new: Array, old: Array, model: Any) -> Any:
    """Sizes of meshes and height fields follow from their data, and stay."""
    simple = _kinds("mjtGeom", "mjGEOM", "PLANE SPHERE CAPSULE ELLIPSOID CYLINDER BOX")
    return np.isin(model.geom_type, simple) & _as_before(new, old).all(axis=-1)


def _parameters(new: Array, old: Array, model: Any) -> Any:
    """True for the actuators whose parameters are nothing but numbers."""
    fine = np.ones(len(new), bool)
    for kind, names in (
        ("dyn", "NONE INTEGRATOR FILTER FILTEREXACT MUSCLE"),
        ("gain", "FIXED AFFINE MUSCLE"),
        ("bias", "NONE AFFINE MUSCLE"),
    ):
        known = _kinds(f"mjt{kind.title()}", f"mj{kind.upper()}", names)
        fine &= np.isin(getattr(model, f"actuator_{kind}type"), known)
    return fine


def _impedance(new: Array, old: Array, model: Any) -> Any:
    share, rest = new[..., [0, 1, 3]], new[..., [2, 4]]
    inside = ((share >= 0) & (share <= 1)).all(axis=-1)
    return inside & (rest >= [0, 1]).all(axis=-1)


ANY = _between(-HUGE, HUGE)
POSITIVE = _between(TINY, HUGE)
AT_LEAST_0 = _between(0, HUGE)
SHARE = _between(0, 1)
YES_NO = Rule("True or False", lambda new, old, model: (new == 0) | (new == 1))
MASS = Rule("a number from 0 on, above 0 where the model has one above 0", _mass)
INERTIA = Rule(
    "three numbers from 0 on, above 0 where the model's are, none above the sum of the others",
    _inertia,
)
UNIT = Rule("rows of length 1", _unit)
POSITIONS = Rule("positions, with quaternions of length 1", _positions)
GEOM_SIZES = Rule(
    "numbers above 0 where the model has them, 0 elsewhere, and no other ones of meshes",
    _geom_sizes,
)
KEEPS_0 = Rule(
    "a number above 0, or 0 where the model has 0", lambda new, old, model: _as_before(new, old)
)
PARAMETERS = Rule("parameters of an actuator that has no state but an activation", _parameters)
ORDERED = Rule("the lower and the upper number", lambda new, old, model: new[..., 0] <= new[..., 1])
REFERENCE = Rule(
    "two numbers above 0, or two that are not",
    lambda new, old, model: (new > 0).all(axis=-1) | (new <= 0).all(axis=-1),
)
IMPEDANCE = Rule("dmin, dmax, midpoint from 0 to 1, width from 0 on, power from 1 on", _impedance)
DIMENSION = Rule("1, 3, 4 or 6", lambda new, old, model: np.isin(new, (1, 3, 4, 6)))
ITERATIONS = _between(0, _LONG)
SOME_ITERATIONS = _between(1, 200)


def _table(*rows: tuple[Rule, str]) -> dict[str, Rule]:
    return {name: rule for rule, names in rows for name in names.split()}


PHYSICS: dict[str, Rule] = _table(
    (MASS, "body_mass"),
    (INERTIA, "body_inertia"),
    (
        ANY,
        "body_pos body_ipos body_gravcomp jnt_pos geom_pos site_pos actuator_gear cam_pos light_pos",
    ),
    (UNIT, "body_quat body_iquat jnt_axis geom_quat site_quat cam_quat light_dir"),
    (GEOM_SIZES, "geom_size"),
    (POSITIONS, "qpos0 qpos_spring"),
    (AT_LEAST_0, "dof_armature tendon_stiffness tendon_damping actuator_cranklength"),
    (KEEPS_0, "tendon_armature"),
    (_between(1e-5, 1, "seconds from 1e-05 to 1"), "opt.timestep"),
    (ANY, "opt.gravity opt.wind opt.magnetic opt.o_margin"),
    (AT_LEAST_0, "opt.density opt.viscosity opt.o_friction opt.sleep_tolerance"),
    (POSITIVE, "opt.impratio"),
    (SHARE, "opt.tolerance opt.ls_tolerance opt.noslip_tolerance opt.ccd_tolerance"),
    (REFERENCE, "opt.o_solref"),
    (IMPEDANCE, "opt.o_solimp"),
    (ITERATIONS, "opt.iterations opt.ls_iterations opt.noslip_iterations"),
    (SOME_ITERATIONS, "opt.ccd_iterations opt.sdf_iterations opt.sdf_initpoints"),
    (_one_of("mjtIntegrator"), "opt.integrator"),
    (_one_of("mjtCone"), "opt.cone"),
    (_one_of("mjtJacobian"), "opt.jacobian"),
    (_one_of("mjtSolver"), "opt.solver"),
    (_flags("mjtDisableBit", "mjNDISABLE"), "opt.disableflags"),
    (_flags("mjtEnableBit", "mjNENABLE"), "opt.enableflags"),
    (_between(0, 2**31 - 1, "bits of groups of actuators, 0 to 30"), "opt.disableactuator"),
    (AT_LEAST_0, "jnt_stiffness jnt_margin dof_damping dof_frictionloss"),
    (ANY, "jnt_stiffnesspoly dof_dampingpoly tendon_stiffnesspoly tendon_dampingpoly"),
    (ORDERED, "jnt_range jnt_actfrcrange"),
    (YES_NO, "jnt_limited jnt_actfrclimited jnt_actgravcomp"),
    (AT_LEAST_0, "geom_friction geom_solmix site_size"),
    (SHARE, "geom_margin geom_gap pair_margin pair_gap"),
    (DIMENSION, "geom_condim pair_dim"),
    (AT_LEAST_0, "pair_friction"),
    (REFERENCE, "jnt_solref dof_solref geom_solref pair_solref pair_solreffriction eq_solref"),
    (REFERENCE, "tendon_solref_lim tendon_solref_fri"),
    (IMPEDANCE, "jnt_solimp dof_solimp geom_solimp pair_solimp eq_solimp"),
    (IMPEDANCE, "tendon_solimp_lim tendon_solimp_fri"),
    (YES_NO, "eq_active0 tendon_limited tendon_actfrclimited"),
    (ORDERED, "tendon_range tendon_actfrcrange tendon_lengthspring"),
    (AT_LEAST_0, "tendon_margin tendon_frictionloss"),
    (PARAMETERS, "actuator_dynprm actuator_gainprm actuator_biasprm"),
    (ORDERED, "actuator_ctrlrange actuator_forcerange actuator_actrange actuator_lengthrange"),
    (YES_NO, "actuator_ctrllimited actuator_forcelimited actuator_actlimited"),
    (SHARE, "hfield_data"),
    (AT_LEAST_0, "sensor_noise sensor_cutoff"),
)
"""The members that decide how an environment moves."""

LOOKS: dict[str, Rule] = _table(
    (SHARE, "geom_rgba site_rgba tendon_rgba mat_rgba vis.rgba.fog vis.rgba.haze"),
    (SHARE, "mat_emission mat_specular mat_shininess mat_reflectance"),
    (POSITIVE, "mat_texrepeat tendon_width stat.extent stat.meansize vis.map.znear vis.map.zfar"),
    (POSITIVE, "vis.map.fogstart vis.map.fogend vis.map.shadowclip vis.map.shadowscale"),
    (SHARE, "light_ambient light_diffuse light_specular vis.map.haze vis.map.alpha"),
    (SHARE, "vis.headlight.ambient vis.headlight.diffuse vis.headlight.specular"),
    (AT_LEAST_0, "light_attenuation light_exponent"),
    (_between(0, 180), "light_cutoff"),
    (YES_NO, "light_active light_castshadow vis.headlight.active"),
    (_between(0.1, 179), "cam_fovy vis.global_.fovy"),
    (ANY, "stat.center"),
)
"""The members that decide how pictures look."""

CHANGEABLE = PHYSICS | LOOKS
