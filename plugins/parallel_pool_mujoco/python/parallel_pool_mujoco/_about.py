"""The meanings of the numbers of these environments. Imported when a user asks."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from parallel_pool.plugin_api import About, EnvSpec, Part

_NEVER = "only by the time limit"
_SQUARES = "the sum of the action's squares"
_CLIPPED = ", -10 to 10"

_ANT = tuple(
    f"{joint} of the {leg} leg"
    for leg in ("front left", "front right", "back left", "back right")
    for joint in ("hip", "ankle")
)
_CHEETAH = ("back thigh", "back shin", "back foot", "front thigh", "front shin", "front foot")
_HOPPER = ("thigh", "leg", "foot")
_WALKER = tuple(f"{side} {joint}" for side in ("right", "left") for joint in _HOPPER)
_ARMS = tuple(
    f"{side} {joint}"
    for side in ("right", "left")
    for joint in ("shoulder 1", "shoulder 2", "elbow")
)
_LEGS = tuple(
    f"{side} {joint}"
    for side in ("right", "left")
    for joint in ("hip about x", "hip about z", "hip about y", "knee")
)
_ABDOMEN = ("abdomen about z", "abdomen about y", "abdomen about x")
_HUMANOID = (*_ABDOMEN, *_LEGS, *_ARMS)
_PUSHER = (
    *(
        "shoulder pan",
        "shoulder lift",
        "upper arm roll",
        "elbow flex",
        "forearm roll",
        "wrist flex",
    ),
    "wrist roll",
)


def _angles(joints: Sequence[str]) -> list[Part]:
    return [Part(f"angle, {joint}", "rad") for joint in joints]


def _speeds(joints: Sequence[str], note: str = "") -> list[Part]:
    return [Part(f"angular velocity, {joint}{note}", "rad/s") for joint in joints]


def _torques(joints: Sequence[str], gears: Sequence[int]) -> tuple[Part, ...]:
    return tuple(
        Part(f"torque, {joint}", f"{gear} N m") for joint, gear in zip(joints, gears, strict=True)
    )


def _along(axes: str, what: str, unit: str) -> list[Part]:
    return [Part(f"{axis} of {what}", unit) for axis in axes]


def _planar(joints: Sequence[str], note: str = "") -> tuple[Part, ...]:
    """A robot that moves in the plane of x and z."""
    return (
        Part("height of the torso", "m"),
        Part("pitch of the torso", "rad"),
        *_angles(joints),
        Part(f"velocity of the torso along x, forward{note}", "m/s"),
        Part(f"velocity of the torso along z, up{note}", "m/s"),
        *_speeds(["pitch of the torso", *joints], note),
    )


def _free(joints: Sequence[str]) -> list[Part]:
    """A robot that moves in space."""
    return [
        Part("height of the torso", "m"),
        *(Part(f"{each} of the torso's orientation, a quaternion") for each in "wxyz"),
        *_angles(joints),
        *(Part(f"velocity of the torso along {axis}", "m/s") for axis in "xyz"),
        *_speeds([f"torso about {axis}" for axis in "xyz"]),
        *_speeds(joints),
    ]


def _contacts(bodies: int) -> Part:
    text = "contact forces: torque and force along x, y and z, for each body"
    return Part(
        f"{text}{' but the world' if bodies == 13 else ', the world first'}", "N m, N", 6 * bodies
    )


def _ant(version: str) -> About:
    contacts = {"v5": [_contacts(13)], "v3": [_contacts(14)]}.get(version, [])
    cost = " - 0.0005 * the sum of squares of the contact forces, each clipped to -1 .. 1"
    alive = "1 while the torso's height is in range" if version == "v5" else "1"
    return About(
        observation=(*_free(_ANT), *contacts),
        action=_torques((*_ANT[6:], *_ANT[:6]), [150] * 8),
        reward=f"velocity along x + {alive} - 0.5 * {_SQUARES}{cost if contacts else ''}",
        ends="the torso's height leaves 0.2 .. 1 m, or a number is not finite",
    )


def _humanoid_body(version: str) -> tuple[Part, ...]:
    bodies = 13 if version == "v5" else 14
    of = "for each body" + ("" if bodies == 14 else " but the world")
    forces = [f"force of the actuator, {joint}" for joint in _HUMANOID]
    free = [] if version == "v5" else [Part("force of actuators on the torso, always 0", count=6)]
    return (
        *_free(_HUMANOID),
        Part(f"inertia about the centre of mass (10 numbers) {of}", "", 10 * bodies),
        Part(
            f"angular and linear velocity about the centre of mass {of}", "rad/s, m/s", 6 * bodies
        ),
        *free,
        *(Part(force, "N m") for force in forces),
        _contacts(bodies),
    )


_HUMANOID_ACTION = _torques(
    (_HUMANOID[1], _HUMANOID[0], *_HUMANOID[2:]),
    [100, 100, 100, *([100, 100, 300, 200] * 2), *([25] * 6)],
)


def _humanoid(version: str) -> About:
    alive = "5 while the torso's height is in range" if version == "v5" else "5"
    contacts = " - 5e-7 * the sum of squares of the contact forces, at most 10"
    return About(
        observation=_humanoid_body(version),
        action=_HUMANOID_ACTION,
        reward=f"1.25 * velocity of the centre of mass along x + {alive} - 0.1 * {_SQUARES}"
        + ("" if version == "v4" else contacts),
        ends="the torso's height leaves 1 .. 2 m",
    )


def _standup(version: str) -> About:
    return About(
        observation=_humanoid_body(version),
        action=_HUMANOID_ACTION,
        reward=f"1 + height of the torso / timestep - 0.1 * {_SQUARES} - 5e-7 * the sum of squares of the "
        "contact forces, at most 10",
        ends=_NEVER,
    )


def _cheetah(version: str) -> About:
    return About(
        observation=_planar(_CHEETAH),
        action=_torques(_CHEETAH, [120, 90, 60, 120, 60, 30]),
        reward=f"velocity along x - 0.1 * {_SQUARES}",
        ends=_NEVER,
    )


def _hopper(version: str) -> About:
    return About(
        observation=_planar(_HOPPER, _CLIPPED),
        action=_torques(_HOPPER, [200] * 3),
        reward=f"velocity along x + 1{' while it stands' * (version == 'v5')} - 0.001 * {_SQUARES}",
        ends="it falls: the torso's height is not above 0.7 m, its pitch leaves -0.2 .. 0.2 rad, or another "
        "number leaves -100 .. 100",
    )


def _walker(version: str) -> About:
    return About(
        observation=_planar(_WALKER, _CLIPPED),
        action=_torques(_WALKER, [100] * 6),
        reward=f"velocity along x + 1{' while it stands' * (version == 'v5')} - 0.001 * {_SQUARES}",
        ends="it falls: the torso's height leaves 0.8 .. 2 m, or its pitch -1 .. 1 rad",
    )


def _swimmer(version: str) -> About:
    joints = ("the first link", "the first joint", "the second joint")
    return About(
        observation=(
            *_angles(joints),
            *(Part(f"velocity of the front along {axis}", "m/s") for axis in "xy"),
            *_speeds(joints),
        ),
        action=_torques(joints[1:], [150] * 2),
        reward=f"velocity along x - 0.0001 * {_SQUARES}",
        ends=_NEVER,
    )


def _pendulum(version: str) -> About:
    return About(
        observation=(
            Part("position of the cart", "m"),
            Part("angle of the pole, 0 upright", "rad"),
            Part("velocity of the cart", "m/s"),
            Part("angular velocity of the pole", "rad/s"),
        ),
        action=(Part("force on the cart", "100 N"),),
        reward="1 while the pole is up"
        if version == "v5"
        else "1 for every step, the last included",
        ends="the pole leans by more than 0.2 rad",
    )


def _double_pendulum(version: str) -> About:
    poles = ("first pole", "second pole, to the first")
    return About(
        observation=(
            Part("position of the cart", "m"),
            *(
                Part(f"{name} of the angle of the {pole}")
                for name in ("sine", "cosine")
                for pole in poles
            ),
            Part(f"velocity of the cart{_CLIPPED}", "m/s"),
            *_speeds(poles, _CLIPPED),
            Part(f"constraint force on the cart{_CLIPPED}", "N"),
            *(
                []
                if version == "v5"
                else [Part(f"constraint torques on the poles{_CLIPPED}", "N m", 2)]
            ),
        ),
        action=(Part("force on the cart", "500 N"),),
        reward=f"10{' while it stands' * (version == 'v5')} - 0.01 * x**2 - (z - 2)**2 of the tip "
        "- 0.001 * v1**2 - 0.005 * v2**2 of the poles' angular velocities",
        ends="the tip is not above 1 m",
    )


def _pusher(version: str) -> About:
    points = ("the fingertip", "the cylinder", "the goal")
    return About(
        observation=(
            *_angles(_PUSHER),
            *_speeds(_PUSHER),
            *chain.from_iterable(_along("xyz", point, "m") for point in points),
        ),
        action=_torques(_PUSHER, [1] * 7),
        reward=f"-distance of cylinder and goal - 0.5 * distance of cylinder and fingertip - 0.1 * {_SQUARES}",
        ends=_NEVER,
    )


def _reacher(version: str) -> About:
    joints = ("shoulder", "elbow")
    return About(
        observation=(
            *(
                Part(f"{name} of the angle, {joint}")
                for name in ("cosine", "sine")
                for joint in joints
            ),
            *_along("xy", "the target", "m"),
            *_speeds(joints),
            *_along("xy" if version == "v5" else "xyz", "the fingertip, from the target", "m"),
        ),
        action=_torques(joints, [200] * 2),
        reward=f"-distance of fingertip and target - {_SQUARES}",
        ends=_NEVER,
    )


_ABOUT = {
    "Ant": _ant,
    "HalfCheetah": _cheetah,
    "Hopper": _hopper,
    "Humanoid": _humanoid,
    "HumanoidStandup": _standup,
    "InvertedDoublePendulum": _double_pendulum,
    "InvertedPendulum": _pendulum,
    "Pusher": _pusher,
    "Reacher": _reacher,
    "Swimmer": _swimmer,
    "Walker2d": _walker,
}


def about(spec: EnvSpec) -> About | None:
    """See `parallel_pool.plugin_api.About`."""
    name, _, version = spec.id.partition("/")[2].rpartition("-")
    if name not in _ABOUT:
        return None
    package = "Gymnasium" if version in ("v4", "v5") else "EnvPool"
    return replace(_ABOUT[name](version), original=f"{package} {name}-{version}")
