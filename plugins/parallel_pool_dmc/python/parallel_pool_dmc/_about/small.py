"""The bodies that neither walk nor grasp: what observations and rewards of their tasks are."""

from itertools import pairwise

from parallel_pool.plugin_api import Part

from parallel_pool_dmc._about.parts import EFFORT, Keys, angles, names, parts, soft, speeds, xyz
from parallel_pool_dmc._tasks import Task


def acrobot(task: Task) -> tuple[Keys, str]:
    arms = ("upper", "lower")
    keys: Keys = {
        "orientations": [
            Part(f"{name} of the {arm} link's angle, which is 0 upright")
            for name in ("sine", "cosine")
            for arm in arms
        ],
        "velocity": speeds(("shoulder", "elbow")),
    }
    if task.options:
        return keys, "1 while the tip is within 0.2 m of the target, else 0"
    return keys, f"{soft('max(0, d - 0.2)', '1')}, with the distance d from the tip to the target"


def ball_in_cup(task: Task) -> tuple[Keys, str]:
    things = ("the cup", "the ball")
    keys: Keys = {
        "position": [part for each in things for part in xyz(each, "m", "xz")],
        "velocity": [part for each in things for part in xyz(f"{each}'s velocity", "m/s", "xz")],
    }
    return keys, "1 while the ball is in the cup, else 0"


def cartpole(task: Task) -> tuple[Keys, str]:
    poles = {"two_poles": 2, "three_poles": 3}.get(task.name, 1)
    names = ["the pole"] if poles == 1 else [f"pole {number}" for number in range(1, poles + 1)]
    keys: Keys = {
        "position": [
            Part("position of the cart", "m"),
            *(
                Part(f"{name} of the angle of {pole}, which is 0 upright")
                for pole in names
                for name in ("cosine", "sine")
            ),
        ],
        "velocity": [
            Part("velocity of the cart", "m/s"),
            Part(f"angular velocity of {names[0]}", "rad/s"),
            *(
                Part(f"angular velocity of {pole}, from {before}", "rad/s")
                for before, pole in pairwise(names)
            ),
        ],
    }
    if task.options.get("sparse"):
        return keys, (
            "1 while the cart is within 0.25 m of the middle and the cosine of the pole's angle is at least "
            "0.995, else 0"
        )
    many = "" if poles == 1 else "mean of "
    least = "" if poles == 1 else "the least "
    return keys, (
        f"u * (4 + max(0, 1 - action**2)) / 5 * (1 + v) / 2 * (1 + {soft('x', '2')}) / 2, with u = {many}"
        f"(1 + cosine) / 2, v = {least}{soft('w', '5')} of angular velocity w, and position x of the cart"
    )


def finger(task: Task) -> tuple[Keys, str]:
    keys: Keys = {
        "position": [
            *angles(("first joint of the finger", "second joint of the finger")),
            *xyz("the body's tip, from its hinge", "m", "xz"),
        ],
        "touch": parts(
            "log(1 + N)", "touch, top of the fingertip", "touch, bottom of the fingertip"
        ),
        "velocity": speeds(
            ("first joint of the finger", "second joint of the finger", "hinge of the body")
        ),
    }
    if not task.options:
        return keys, "1 while the body's angular velocity is at most -15 rad/s, else 0"
    keys["dist_to_target"] = [
        Part("distance of the tip from the target's edge, negative inside", "m")
    ]
    keys["target_position"] = xyz("the target, from the hinge", "m", "xz")
    size = task.options["target_size"]
    return keys, f"1 while the body's tip is within {size} m of the target, else 0"


def fish(task: Task) -> tuple[Keys, str]:
    joints = names("fish")
    keys: Keys = {
        "joint_angles": angles(joints),
        "upright": [Part("cosine of the torso's tilt, 1 upright")],
        "velocity": [
            *xyz("the torso's velocity", "m/s"),
            *xyz("the torso's angular velocity", "rad/s"),
            *speeds(joints),
        ],
    }
    if not task.options:
        return keys, f"{soft('(1 - u)', '1')}, with u = `upright`"
    keys["target"] = xyz("the target, in the mouth's frame", "m")
    return keys, (
        f"(7 * {soft('max(0, d - 0.045)', '0.09')} + (1 + u) / 2) / 8, with the distance d from the mouth to "
        "the target and u = `upright`"
    )


def lqr(task: Task) -> tuple[Keys, str]:
    masses = [f"mass {number}" for number in range(task.options["n_bodies"])]
    keys: Keys = {
        "position": parts("m", *(f"position of {mass}, 0 at rest" for mass in masses)),
        "velocity": parts("m/s", *(f"velocity of {mass}" for mass in masses)),
    }
    return keys, "1 - (sum of squares of positions + 0.1 * sum of squares of the action) / 2"


def pendulum(task: Task) -> tuple[Keys, str]:
    keys: Keys = {
        "orientation": parts("", "cosine of the angle, which is 0 upright", "sine of the angle"),
        "velocity": [Part("angular velocity", "rad/s")],
    }
    return keys, "1 while the pole is within 8 degrees of upright, else 0"


def point_mass(task: Task) -> tuple[Keys, str]:
    keys: Keys = {
        "position": xyz("the mass", "m", "xy"),
        "velocity": xyz("the mass's velocity", "m/s", "xy"),
    }
    return keys, (
        f"{soft('max(0, d - 0.015)', '0.015')} * {EFFORT}, with the distance d from the mass to the target"
    )


def reacher(task: Task) -> tuple[Keys, str]:
    joints = ("shoulder", "wrist")
    keys: Keys = {
        "position": angles(joints),
        "to_target": xyz("the target, from the fingertip", "m", "xy"),
        "velocity": speeds(joints),
    }
    reach = task.options.get("target_size", 0.05) + 0.01
    return keys, f"1 while the fingertip is within {reach:g} m of the target's middle, else 0"


def swimmer(task: Task) -> tuple[Keys, str]:
    links = ["head", *(f"segment {number}" for number in range(task.options["n_links"] - 1))]
    keys: Keys = {
        "body_velocities": [
            part
            for link in links
            for part in (
                *xyz(f"the {link}'s velocity, in its frame", "m/s", "xy"),
                Part(f"angular velocity of the {link}", "rad/s"),
            )
        ],
        "joints": angles(f"joint {number}" for number in range(len(links) - 1)),
        "to_target": xyz("the target from the nose, in the head's frame", "m", "xy"),
    }
    return (
        keys,
        "1 / (1 + (6 * max(0, d - 0.1))**2), with the distance d from the nose to the target",
    )
