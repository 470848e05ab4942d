"""The arm that grasps: what observations and rewards of its tasks are."""

from parallel_pool.plugin_api import Part

from parallel_pool_dmc._about.parts import Keys, names, parts, soft, speeds, xyz
from parallel_pool_dmc._tasks import Task

_POSE = ("x", "z", "cosine of half the angle", "sine of half the angle")


def _pose(what: str) -> list[Part]:
    return [Part(f"{name} of {what}", "m" if name in "xz" else "") for name in _POSE]


def _arm() -> Keys:
    joints = names("manipulator")
    touched = ("palm", "finger", "thumb", "fingertip", "thumbtip")
    return {
        "arm_pos": [
            Part(f"{name} of the angle, {joint}") for joint in joints for name in ("sine", "cosine")
        ],
        "arm_vel": speeds(joints),
        "hand_pos": _pose("the hand"),
        "touch": parts("log(1 + N)", *(f"touch, {each}" for each in touched)),
    }


def manipulator(task: Task) -> tuple[Keys, str]:
    thing = "peg" if task.options.get("use_peg") else "ball"
    keys: Keys = {
        **_arm(),
        "object_pos": _pose(f"the {thing}"),
        "object_vel": [
            *xyz(f"the {thing}'s velocity", "m/s", "xz"),
            Part(f"angular velocity of the {thing}", "rad/s"),
        ],
        "target_pos": _pose("the target"),
    }
    near = soft("max(0, d - 0.01)", "0.02")
    if thing == "ball":
        return keys, f"{near}, with the distance d from the ball to the target"
    return keys, (
        f"the larger of (b + t) / 2 and (g + p) / 6, each {near} of a distance d: b from the peg to the "
        "target, t between their tips, g and p from the hand's two places of grasping to the peg's"
    )


def stacker(task: Task) -> tuple[Keys, str]:
    boxes = [f"box {number}" for number in range(int(task.name.rpartition("_")[2]))]
    keys: Keys = {
        **_arm(),
        "box_pos": [part for box in boxes for part in _pose(box)],
        "box_vel": [
            part
            for box in boxes
            for part in (
                Part(f"velocity of {box} along x", "m/s"),
                Part(f"angular velocity of {box}", "rad/s"),
                Part(f"velocity of {box} along z", "m/s"),
            )
        ],
        "target_pos": xyz("the target", "m", "xz"),
    }
    return keys, (
        f"{soft('d', '0.044')} * {soft('max(0, 0.1 - h)', '0.01')}, with the distance d from the target to the "
        "nearest box, and h from it to the hand"
    )
