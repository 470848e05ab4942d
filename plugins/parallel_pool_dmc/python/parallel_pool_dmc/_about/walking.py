"""The bodies that walk: what observations and rewards of their tasks are."""

from collections.abc import Iterable

from parallel_pool.plugin_api import Part

from parallel_pool_dmc._about.bodies import ACTUATORS
from parallel_pool_dmc._about.parts import (
    CLIP,
    EFFORT,
    Keys,
    angles,
    names,
    parts,
    soft,
    speeds,
    xyz,
)
from parallel_pool_dmc._tasks import Task


def _planar_root(axes: str) -> list[Part]:
    return [
        *(Part(f"velocity of the torso along {axis}", "m/s") for axis in axes),
        Part("angular velocity, pitch of the torso", "rad/s"),
    ]


def cheetah(task: Task) -> tuple[Keys, str]:
    keys: Keys = {
        "position": [
            Part("height of the torso, from where it began", "m"),
            Part("pitch of the torso", "rad"),
            *angles(names("cheetah")),
        ],
        "velocity": [*_planar_root("xz"), *speeds(names("cheetah"))],
    }
    return keys, f"velocity of the centre of mass along x / 10, {CLIP}"


def dog(task: Task) -> tuple[Keys, str]:
    joints, feet = names("dog"), ("left foot", "right foot", "left hand", "right hand")
    keys: Keys = {
        "actuator_state": [
            Part(f"activation, {text.removeprefix('torque, ')}")
            for text, _ in ACTUATORS["dog"].values()
        ],
        "foot_forces": [part for foot in feet for part in xyz(f"the force on the {foot}", "N")],
        "inertial_sensors": [
            *xyz("the torso's acceleration", "m/s**2"),
            *xyz("the torso's velocity", "m/s"),
            *xyz("the torso's angular velocity", "rad/s"),
        ],
        "joint_angles": angles(joints),
        "joint_velocites": speeds(joints),
        "torso_com_velocity": xyz("the centre of mass's velocity, in the torso's frame", "m/s"),
        "torso_pelvis_height": parts("m", "height of the torso", "height of the pelvis"),
        "touch_sensors": parts(
            "N",
            *(f"touch, {each}" for each in ("left palm", "right palm", "left sole", "right sole")),
        ),
        "z_projection": [
            part
            for body in ("skull", "torso", "pelvis")
            for part in xyz(f"up, in the {body}'s frame", "")
        ],
    }
    stand = (
        f"{soft('max(0, 0.374 - torso height)', '0.374')} * {soft('max(0, 0.429 - pelvis height)', '0.429')} * "
        f"product of (1 + u) / 1.866, {CLIP}, over the z of skull, torso and pelvis * "
        "(0.9 + 0.1 * min(1, touch / weight)), with the sum of `touch_sensors`"
    )
    if task.name == "fetch":
        head = "in the head's frame"
        keys["ball_state"] = [
            *xyz(f"the ball, {head}", "m"),
            *xyz(f"the ball's velocity, {head}", "m/s"),
        ]
        keys["target_position"] = xyz(f"the target, {head}", "m")
        return keys, (
            f"{stand}; that * (6 * m + 1) / 7 * (1 + b) / 2, with m = 1 / (1 + 4.5 * max(0, d - 0.005)) of the "
            "distance d from the mouth to the ball, b = 1 / (1 + 0.9 * max(0, e - 0.1)) of the distance e "
            "from the ball to the target, and m = 1 where e < 0.2"
        )
    if not task.options:
        return keys, stand
    speed = task.options["move_speed"]
    margin = max(1.0, speed)
    return keys, (
        f"{stand}; that * (4 * f + 1) / 5, with f = 1 - (distance of the forward velocity from {speed:g} .. "
        f"{2 * speed:g} m/s) / {margin:g}, at least 0"
    )


def hopper(task: Task) -> tuple[Keys, str]:
    joints = names("hopper")
    keys: Keys = {
        "position": [
            Part("height of the torso, from where it began", "m"),
            Part("pitch of the torso", "rad"),
            *angles(joints),
        ],
        "touch": parts("log(1 + N)", "touch, toe", "touch, heel"),
        "velocity": [*_planar_root("xz"), *speeds(joints)],
    }
    stands = "0 unless the torso is 0.6 to 2 m above the foot; there"
    if task.options:
        return keys, f"{stands} velocity of the centre of mass along x / 2, {CLIP}"
    return keys, f"{stands} {EFFORT}"


def _free_velocity(joints: Iterable[str]) -> list[Part]:
    return [
        *xyz("the torso's velocity", "m/s"),
        *xyz("the torso's angular velocity, in its frame", "rad/s"),
        *speeds(joints),
    ]


def humanoid(task: Task) -> tuple[Keys, str]:
    joints = names(task.domain)
    speed = task.options.get("move_speed", 0)
    trunk = "thorax" if task.domain == "humanoid_CMU" else "torso"
    keys: Keys = {
        "com_velocity": xyz("the centre of mass's velocity", "m/s"),
        "extremities": [
            part
            for side in ("left", "right")
            for limb in ("hand", "foot")
            for part in xyz(f"the {side} {limb}, in the {trunk}'s frame", "m")
        ],
        "head_height": [Part("height of the head", "m")],
        "joint_angles": angles(joints),
        "torso_vertical": xyz(f"up, in the {trunk}'s frame", ""),
        "velocity": _free_velocity(joints),
    }
    if task.options.get("pure_state"):
        keys = {
            "position": [
                *xyz("the torso", "m"),
                *xyz("the torso's orientation, a quaternion", "", "wxyz"),
                *angles(joints),
            ],
            "velocity": _free_velocity(joints),
        }
    moves = (
        f"(5 * m + 1) / 6, with m = horizontal velocity / {speed:g}, {CLIP}"
        if speed
        else f"mean of {soft('v', '2')} over both horizontal velocities v"
    )
    up = "y" if task.domain == "humanoid_CMU" else "z"
    return keys, (
        f"{soft('max(0, 1.4 - h)', '0.35')} * c * {EFFORT} * {moves}; h is the height of the head, and c = "
        f"(1 + upward part of the {trunk}'s {up} axis) / 1.9, at most 1"
    )


def quadruped(task: Task) -> tuple[Keys, str]:
    joints = names("quadruped")
    toes = [
        f"the {place} toe" for place in ("front left", "front right", "back right", "back left")
    ]
    frame = "in the torso's frame"
    keys: Keys = {
        "egocentric_state": [
            *angles(joints),
            *speeds(joints),
            *parts("rad", *(f"followed: {text}" for text, _ in ACTUATORS["quadruped"].values())),
        ],
        "force_torque": [
            *(part for toe in toes for part in xyz(f"the force on {toe}", "arcsinh(N)")),
            *(part for toe in toes for part in xyz(f"the torque on {toe}", "arcsinh(N m)")),
        ],
        "imu": [
            *xyz("the torso's acceleration", "m/s**2"),
            *xyz("the torso's angular velocity", "rad/s"),
        ],
        "torso_upright": [Part("cosine of the torso's tilt, 1 upright")],
        "torso_velocity": xyz(f"the torso's velocity, {frame}", "m/s"),
    }
    upright = "(1 + u) / 2"
    if task.name == "escape":
        keys["origin"] = xyz(f"the middle of the bowl, {frame}", "m")
        keys["rangefinder"] = [
            Part("tanh of the distances that rays measure in m, 1: nothing met", "", 20)
        ]
        return keys, (
            "(1 + u) / 1.94, at most 1, * distance from the middle / 30, at most 1; u = `torso_upright`"
        )
    if task.name == "fetch":
        keys["ball_state"] = [
            *xyz(f"the ball, {frame}", "m"),
            *xyz(f"the ball's velocity from the torso's, {frame}", "m/s"),
            *xyz(f"the ball's angular velocity, {frame}", "rad/s"),
        ]
        keys["target_position"] = xyz(f"the target, {frame}", "m")
        return keys, (
            f"{upright} * r * (1 + t) / 2, with r = 1 - max(0, d - 0.45) / 21.2 of the horizontal distance d "
            "to the ball, t = 1 - max(0, e - 0.4) / 21.2 of that from the ball to the target, both at least 0, "
            "and u = `torso_upright`"
        )
    speed = task.options["desired_speed"]
    return keys, (
        f"{upright} * (1 + v / {speed:g}) / 2, the latter {CLIP}, with u = `torso_upright` and v the first of "
        "`torso_velocity`"
    )


def walker(task: Task) -> tuple[Keys, str]:
    bodies = [
        "torso",
        *(f"{side} {part}" for side in ("right", "left") for part in ("thigh", "leg", "foot")),
    ]
    keys: Keys = {
        "height": [Part("height of the torso", "m")],
        "orientations": [
            Part(f"{name} of the {body}'s angle, which is 0 upright")
            for body in bodies
            for name in ("cosine", "sine")
        ],
        "velocity": [*_planar_root("zx"), *speeds(names("walker"))],
    }
    stand = f"(3 * {soft('max(0, 1.2 - height)', '0.6')} + (1 + u) / 2) / 4"
    where = "u is the cosine of the torso's angle"
    speed = task.options.get("move_speed", 0)
    if not speed:
        return keys, f"{stand}; {where}"
    return keys, (
        f"{stand} * (5 * m + 1) / 6, with m = velocity of the centre of mass along x / {speed:g}, {CLIP}; "
        f"{where}"
    )
