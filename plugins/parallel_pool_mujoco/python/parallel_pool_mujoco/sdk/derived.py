"""What follows from numbers of a model: changed with them, as MuJoCo's compiler would have it."""

from __future__ import annotations

import copy
from collections.abc import Collection
from typing import Any

import numpy as np

from parallel_pool_mujoco.sdk.binding import MujocoError
from parallel_pool_mujoco.sdk.changeable import AFTER_CONSTANTS, Array


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


DERIVED = _names(
    "body_subtreemass body_invweight0 body_margin body_sameframe body_simple dof_M0 dof_invweight0 dof_length "
    "dof_simplenum tendon_length0 tendon_invweight0 actuator_acc0 actuator_length0 geom_rbound geom_aabb "
    "geom_sameframe site_sameframe bvh_aabb cam_pos0 cam_poscom0 cam_mat0 light_pos0 light_poscom0 light_dir0 "
    "stat.meaninertia stat.meanmass ngravcomp flg_gravcomp"
)
"""Members that are computed from others."""
_FINITE = ("dof_M0", "dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_acc0")
_STATISTICS = ("meaninertia", "meanmass", "meansize", "extent", "center")
_FRAMES = _names("body_ipos body_iquat geom_pos geom_quat site_pos site_quat")
_BOXES = _names("geom_size geom_pos geom_quat body_ipos body_iquat")
_OF_SIMPLE = ("body_ipos", "body_iquat", "jnt_pos", "jnt_axis")


def derive(model: Any, before: Any, changed: Collection[str]) -> None:
    """Brings up to date what follows from the members `changed`. before: the model as it was compiled.

    Raises MujocoError: MuJoCo cannot simulate such a model.
    """
    _keep_simple(model, before, changed)
    if not _FRAMES.isdisjoint(changed):
        # 0 is "compute the frame"; from MuJoCo 3.17 on, mj_setConst finds out which are the same.
        for kind in ("body", "geom", "site"):
            getattr(model, f"{kind}_sameframe")[kind == "body" :] = 0
    if "geom_size" in changed:
        _set_bounds(model, before)
    if not _BOXES.isdisjoint(changed):
        _set_boxes(model)
    if not {"geom_margin", "geom_gap"}.isdisjoint(changed) and hasattr(model, "body_margin"):
        model.body_margin[...] = 0
        np.maximum.at(model.body_margin, model.geom_bodyid, model.geom_margin + model.geom_gap)
    if not AFTER_CONSTANTS.keys().isdisjoint(changed):
        _set_constants(model, before, changed)
        if model.ntendon and "tendon_lengthspring" not in changed:
            unset = (before.tendon_lengthspring == _rest_lengths(before)).all(axis=1)
            model.tendon_lengthspring[unset] = _rest_lengths(model)[unset]


def _keep_simple(model: Any, before: Any, changed: Collection[str]) -> None:
    """The inertia of a simple body is stored as a diagonal, where its frames agree."""
    for name in _OF_SIMPLE:
        if name in changed:
            rows = (getattr(model, name) != getattr(before, name)).any(axis=-1)
            bodies = np.arange(model.nbody) if name.startswith("body") else model.jnt_bodyid
            simple = bodies[rows & (model.body_simple[bodies] > 0)]
            if len(simple):
                raise MujocoError(
                    f"model_overrides[{name!r}] moves frames of body {simple[0]}, which MuJoCo has compiled as "
                    "simple: its inertia is stored for frames that agree. Change it in the XML"
                )


def _set_bounds(model: Any, before: Any) -> None:
    """Boxes and spheres around geoms whose sizes are other ones."""
    from mujoco import mjtGeom

    for geom in np.flatnonzero((model.geom_size != before.geom_size).any(axis=-1)):
        kind, (a, b, c) = mjtGeom(model.geom_type[geom]), model.geom_size[geom]
        if kind == mjtGeom.mjGEOM_PLANE:
            continue
        if kind == mjtGeom.mjGEOM_SPHERE:
            radius, half = a, (a, a, a)
        elif kind == mjtGeom.mjGEOM_CAPSULE:
            radius, half = a + b, (a, a, a + b)
        elif kind == mjtGeom.mjGEOM_CYLINDER:
            radius, half = np.hypot(a, b), (a, a, b)
        elif kind == mjtGeom.mjGEOM_ELLIPSOID:
            radius, half = max(a, b, c), (a, b, c)
        else:
            radius, half = np.sqrt(a * a + b * b + c * c), (a, b, c)
        model.geom_rbound[geom] = radius
        model.geom_aabb[geom] = (0, 0, 0, *half)


def _set_boxes(model: Any) -> None:
    """The boxes around the geoms of each body, a tree, in the body's inertial frame."""
    for body in range(model.nbody):
        first, count = int(model.body_bvhadr[body]), int(model.body_bvhnum[body])
        inertial = _matrix(model.body_iquat[body]).T
        for node in reversed(range(first, first + count)):  # children come after their parents
            children = [first + int(each) for each in model.bvh_child[node] if each >= 0]
            if children:
                centre, half = model.bvh_aabb[children, :3], model.bvh_aabb[children, 3:]
                low, high = (centre - half).min(axis=0), (centre + half).max(axis=0)
                centre, half = (high + low) / 2, (high - low) / 2
            else:
                geom = model.bvh_nodeid[node]
                box, rotation = model.geom_aabb[geom], _matrix(model.geom_quat[geom])
                place = model.geom_pos[geom] + rotation @ box[:3] - model.body_ipos[body]
                centre, half = inertial @ place, np.abs(inertial @ rotation) @ box[3:]
                half = np.maximum(half, 1e-14)
            model.bvh_aabb[node] = (*centre, *half)


def _rest_lengths(model: Any) -> Array:
    """Of tendons in the springs' rest position: their springs' lengths, where an author has set none."""
    import mujoco

    data = mujoco.MjData(model)
    data.qpos[...] = model.qpos_spring
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_tendon(model, data)
    return np.reshape(data.ten_length, (-1, 1))


def _matrix(quaternion: Array) -> Array:
    import mujoco

    result = np.empty(9)
    mujoco.mju_quat2Mat(result, quaternion)
    return result.reshape(3, 3)


def _set_constants(model: Any, before: Any, changed: Collection[str]) -> None:
    """mj_setConst, but for statistics that the author or the caller has set."""
    import mujoco

    plain = copy.copy(before)
    mujoco.mj_setConst(plain, mujoco.MjData(plain))
    kept = {
        name: np.copy(getattr(model.stat, name))
        for name in _STATISTICS
        if f"stat.{name}" in changed
        or (getattr(before.stat, name) != np.asarray(getattr(plain.stat, name))).any()
    }
    data = mujoco.MjData(model)
    for warning in data.warning:
        warning.number = 1  # only the first of a kind is printed
    try:
        mujoco.mj_setConst(model, data)
    except (mujoco.FatalError, mujoco.UnexpectedError) as error:
        raise MujocoError(f"model_overrides: MuJoCo cannot use the model: {error}") from None
    for name, value in kept.items():
        if value.ndim:
            getattr(model.stat, name)[...] = value
        else:
            setattr(model.stat, name, float(value))
    bad = [name for name in _FINITE if not np.isfinite(getattr(model, name)).all()]
    if bad or any(warning.number > 1 for warning in data.warning):
        names = ", ".join(sorted(set(changed) & AFTER_CONSTANTS.keys()))
        raise MujocoError(
            f"model_overrides: with this {names}, the inertia of the model is no matrix that MuJoCo can "
            f"invert{f' ({bad[0]} is not finite)' if bad else ''}"
        )
