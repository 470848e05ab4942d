"""The joints and the actuators of the bodies, in words. A test holds names and order to dm_control's models.

By domain: the model's name of each hinge that observations have, in their order, and what it is; of actuators
also what an action of 1 does.
"""

from collections.abc import Iterable, Mapping, Sequence

_RIGHT_FIRST = ("right", "left")
_PLACES = ("front_left", "front_right", "back_right", "back_left")


def _plain(*names: str) -> dict[str, str]:
    """Names that say what they are."""
    return {name: name.replace("_", " ") for name in names}


def _sided(names: Iterable[str]) -> dict[str, str]:
    """The parts of both legs, the right one first."""
    return _plain(*(f"{side}_{name}" for side in _RIGHT_FIRST for name in names))


_CHEETAH = {
    f"{short}{part}": f"{long} {part}"
    for short, long in (("b", "back"), ("f", "front"))
    for part in ("thigh", "shin", "foot")
}

_HUMANOID = {
    **{f"abdomen_{axis}": f"abdomen about {axis}" for axis in "zyx"},
    **{
        f"{side}_{joint}": f"{side} {text}"
        for side in _RIGHT_FIRST
        for joint, text in (
            *((f"hip_{axis}", f"hip about {axis}") for axis in "xzy"),
            ("knee", "knee"),
            *((f"ankle_{axis}", f"ankle about {axis}") for axis in "yx"),
        )
    },
    **{
        f"{side}_{joint}": f"{side} {text}"
        for side in _RIGHT_FIRST
        for joint, text in (
            ("shoulder1", "shoulder, first axis"),
            ("shoulder2", "shoulder, second axis"),
            ("elbow", "elbow"),
        )
    },
}

_CMU_LEG = (("femur", "zyx"), ("tibia", "x"), ("foot", "zx"), ("toes", "x"))
_CMU_SPINE = (
    *(("lowerback", "lower back"), ("upperback", "upper back"), ("thorax", "thorax")),
    *(("lowerneck", "lower neck"), ("upperneck", "upper neck"), ("head", "head")),
)
_CMU_ARM = (
    *(("clavicle", "zy"), ("humerus", "zyx"), ("radius", "x"), ("wrist", "y")),
    *(("hand", "zx"), ("fingers", "x"), ("thumb", "zx")),
)


def _cmu_limbs(bones: Sequence[tuple[str, str]]) -> dict[str, str]:
    return {
        f"{side[0]}{bone}r{axis}": f"{side} {bone} about {axis}"
        for side in ("left", "right")
        for bone, axes in bones
        for axis in axes
    }


_CMU = {
    **_cmu_limbs(_CMU_LEG),
    **{f"{bone}r{axis}": f"{text} about {axis}" for bone, text in _CMU_SPINE for axis in "zyx"},
    **_cmu_limbs(_CMU_ARM),
}

_DOG_LEG = (
    *(("hip_{}_supinate", "hip, supinate"), ("hip_{}_abduct", "hip, abduct")),
    *(("hip_{}_extend", "hip, extend"), ("knee_{}", "knee"), ("ankle_{}", "ankle")),
    ("toe_{}", "toe"),
)
_DOG_ARM = (
    *(("scapula_{}_supinate", "scapula, supinate"), ("scapula_{}_abduct", "scapula, abduct")),
    *(("scapula_{}_extend", "scapula, extend"), ("shoulder_{}_supinate", "shoulder, supinate")),
    *(("shoulder_{}_extend", "shoulder, extend"), ("elbow_{}", "elbow"), ("wrist_{}", "wrist")),
    ("finger_{}", "finger"),
)


def _dog_limbs(parts: Sequence[tuple[str, str]]) -> dict[str, str]:
    return {
        name.format(side[0].upper()): f"{side} {text}"
        for side in ("left", "right")
        for name, text in parts
    }


def _vertebrae(short: str, text: str, numbers: Iterable[int], even: str) -> dict[str, str]:
    """Extends and bends at odd ones, `even` at the others."""
    found = {}
    for number in numbers:
        for way in ("extend", "bend") if number % 2 else (even,):
            found[f"{short}_{number}_{way}"] = f"{text} {number}, {way}"
    return found


_DOG_TAIL = {
    f"Ca_{number}_{way}": f"tail {number}, {way}"
    for number in range(1, 22)
    for way in (("extend" if number % 2 else "bend"),)
}
_DOG = {
    **_vertebrae("L", "lumbar vertebra", range(1, 8), "twist"),
    **_dog_limbs(_DOG_LEG),
    **_DOG_TAIL,
    **_vertebrae("C", "cervical vertebra", range(7, 0, -1), "twist"),
    **_plain("atlas", "mandible"),
    **_dog_limbs(_DOG_ARM),
}

_ARM = {
    **{f"arm_{name}": name for name in ("root", "shoulder", "elbow", "wrist")},
    **{"finger": "finger", "fingertip": "fingertip", "thumb": "thumb", "thumbtip": "thumbtip"},
}

_ARM_MOTORS = {
    "root": ("torque, root", "12 N m"),
    "shoulder": ("torque, shoulder", "8 N m"),
    "elbow": ("torque, elbow", "4 N m"),
    "wrist": ("torque, wrist", "2 N m"),
    "grasp": ("torque that closes the hand: half at the thumb, half at the finger", "2 N m"),
}

JOINTS: Mapping[str, Mapping[str, str]] = {
    "cheetah": _CHEETAH,
    "dog": _DOG,
    "fish": {
        "tail1": "first joint of the tail",
        "tail_twist": "twist of the tail",
        "tail2": "second joint of the tail",
        **{
            f"fin{side}_{way}": f"{way} of the {side} fin"
            for side in _RIGHT_FIRST
            for way in ("roll", "pitch")
        },
    },
    "hopper": _plain("waist", "hip", "knee", "ankle"),
    "humanoid": _HUMANOID,
    "humanoid_CMU": _CMU,
    "manipulator": _ARM,
    "quadruped": {
        f"{joint}_{place}": f"{joint} of the {place.replace('_', ' ')} leg"
        for place in _PLACES
        for joint in ("yaw", "pitch", "knee", "ankle")
    },
    "stacker": _ARM,
    "walker": _sided(("hip", "knee", "ankle")),
}


def _motors(joints: Mapping[str, str], gears: Mapping[str, float]) -> dict[str, tuple[str, str]]:
    """Torques at joints. gears: N m by the beginning of names, in the order of the actuators."""
    found = {}
    for start, gear in gears.items():
        for name in (each for each in joints if each.startswith(start)):
            found[name] = (f"torque, {joints[name]}", f"{gear:g} N m")
    return found


_CMU_GEARS = {"femurrx": 120, "tibiarx": 80}
_CMU_STRONG = ("femur", "humerus", "radius", "back", "thorax")


def _cmu_gear(name: str) -> int:
    for end, gear in _CMU_GEARS.items():
        if name.endswith(end):
            return gear
    return 40 if any(bone in name for bone in _CMU_STRONG) else 20


_DOG_SPINE = {
    **{
        f"lumbar_{way}": (f"all lumbar vertebrae, {way}", 60 if way == "extend" else 40)
        for way in ("extend", "bend", "twist")
    },
    **{
        f"cervical_{way}": (f"all cervical vertebrae, {way}", 14 if way == "twist" else 20)
        for way in ("extend", "bend", "twist")
    },
    **{f"caudal_{way}": (f"all of the tail, {way}", 0.5) for way in ("extend", "bend")},
}
_DOG_TORQUES = {
    **{"hip_extend": 40, "hip": 10, "knee": 30, "ankle": 20, "toe": 2, "atlas": 10, "mandible": 3},
    **{"scapula": 30, "shoulder": 30, "elbow": 20, "wrist": 10, "finger": 2},
}


def _dog_actuators() -> dict[str, tuple[str, str]]:
    """Most have a joint, those of the spine a tendon over many."""
    found = {
        name: (f"torque, {text}", f"{gear:g} N m") for name, (text, gear) in _DOG_SPINE.items()
    }
    limbs = (_dog_limbs(_DOG_LEG), _plain("atlas", "mandible"), _dog_limbs(_DOG_ARM))
    for name, text in (pair for each in limbs for pair in each.items()):
        plain = name.replace("_L", "").replace("_R", "")
        gear = next(gear for start, gear in _DOG_TORQUES.items() if plain.startswith(start))
        found[name] = (f"torque, {text}", f"{gear} N m")
    return found


def _quadruped_actuators() -> dict[str, tuple[str, str]]:
    found = {}
    for place in _PLACES:
        leg = f"{place.replace('_', ' ')} leg"
        found[f"yaw_{place}"] = (f"wanted yaw of the {leg}", "rad")
        found[f"lift_{place}"] = (f"wanted lift of the {leg}: half of pitch - ankle", "rad")
        found[f"extend_{place}"] = (
            f"wanted reach of the {leg}: a quarter of pitch - 2 * knee + ankle",
            "rad",
        )
    return found


ACTUATORS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "acrobot": {"elbow": ("torque at the joint of the links", "2 N m")},
    "ball_in_cup": {
        "x": ("force on the cup along x", "5 N"),
        "z": ("force on the cup along z, up", "5 N"),
    },
    "cartpole": {"slide": ("force on the cart", "10 N")},
    "cheetah": _motors(
        _CHEETAH,
        {"bthigh": 120, "bshin": 90, "bfoot": 60, "fthigh": 90, "fshin": 60, "ffoot": 30},
    ),
    "dog": _dog_actuators(),
    "finger": {
        "proximal": ("torque at the first joint of the finger", "30 N m"),
        "distal": ("torque at the second joint of the finger", "15 N m"),
    },
    "fish": {
        "tail": ("wanted angle of the first joint of the tail", "rad"),
        "tail_twist": ("wanted twist of the tail", "rad"),
        "fins_flap": ("wanted flap of the fins: half of right roll - left roll", "rad"),
        "finleft_pitch": ("wanted pitch of the left fin", "rad"),
        "finright_pitch": ("wanted pitch of the right fin", "rad"),
    },
    "hopper": _motors(JOINTS["hopper"], {"waist": 30, "hip": 40, "knee": 30, "ankle": 10}),
    "humanoid": _motors(
        _HUMANOID,
        {
            **{"abdomen_y": 40, "abdomen_z": 40, "abdomen_x": 40},
            **{
                f"{side}_{joint}": gear
                for side in _RIGHT_FIRST
                for joint, gear in (
                    *(("hip_x", 40), ("hip_z", 40), ("hip_y", 120), ("knee", 80)),
                    *(("ankle_x", 20), ("ankle_y", 20)),
                )
            },
            **{
                f"{side}_{joint}": gear
                for side in _RIGHT_FIRST
                for joint, gear in (("shoulder", 20), ("elbow", 40))
            },
        },
    ),
    "humanoid_CMU": {
        name: (f"torque, {_CMU[name]}", f"{_cmu_gear(name)} N m") for name in sorted(_CMU)
    },
    "manipulator": _ARM_MOTORS,
    "pendulum": {"torque": ("torque at the hinge", "N m")},
    "quadruped": _quadruped_actuators(),
    "reacher": {
        "shoulder": ("torque at the shoulder", "0.05 N m"),
        "wrist": ("torque at the wrist", "0.05 N m"),
    },
    "stacker": _ARM_MOTORS,
    "walker": _motors(
        JOINTS["walker"],
        {
            f"{side}_{joint}": gear
            for side in _RIGHT_FIRST
            for joint, gear in (("hip", 100), ("knee", 50), ("ankle", 20))
        },
    ),
}
"""By domain, for bodies of one size, and by the actuator's name: the effect of an action of 1, and its unit."""
