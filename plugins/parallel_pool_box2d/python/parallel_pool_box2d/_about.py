"""The meanings of the numbers of these environments. Imported when a user asks."""

from dataclasses import replace

from parallel_pool.plugin_api import About, EnvSpec, Part

_LANDER = About(
    observation=(
        Part("horizontal position, 0 above the pad", "10 lengths"),
        Part("height above the pad", "6.67 lengths"),
        Part("horizontal speed", "5 lengths/s"),
        Part("vertical speed", "7.5 lengths/s"),
        Part("angle, 0 upright", "rad"),
        Part("angular speed", "2.5 rad/s"),
        Part("1: the left leg touches the ground"),
        Part("1: the right leg touches the ground"),
    ),
    action=(
        Part("nothing"),
        Part("fire the left engine"),
        Part("fire the main engine"),
        Part("fire the right engine"),
    ),
    reward=(
        "change of -100 * distance - 100 * speed - 100 * |angle| + 10 * legs that touch, minus 0.3 for the "
        "main engine and 0.03 for a side engine; 100 for coming to rest, -100 for a crash"
    ),
    ends="the body touches the ground, the position leaves -1 to 1, or the lander has come to rest",
    original="Gymnasium LunarLander-v3",
)
_THROTTLES = (
    Part("main engine: off below 0, then half to full power"),
    Part("side engines: left below -0.5, right above 0.5, half to full power"),
)
_LEG = ("hip angle", "hip speed", "knee angle + 1", "knee speed")


def _leg(which: str) -> tuple[Part, ...]:
    units = ("rad", "4 rad/s", "rad", "6 rad/s")
    moving = tuple(
        Part(f"{which} leg: {name}", unit) for name, unit in zip(_LEG, units, strict=True)
    )
    return (*moving, Part(f"1: the {which} leg touches the ground"))


_WALKER = About(
    observation=(
        Part("angle of the hull", "rad"),
        Part("angular speed of the hull", "25 rad/s"),
        Part("horizontal speed", "8.33 lengths/s"),
        Part("vertical speed", "12.5 lengths/s"),
        *_leg("first"),
        *_leg("second"),
        Part("rays from straight down to forward: free share", "5.33 lengths", 10),
    ),
    action=tuple(
        Part(f"{joint} of the {which} leg: direction and torque", "80 N m")
        for which in ("first", "second")
        for joint in ("hip", "knee")
    ),
    reward=(
        "130/30 for each length forward, minus the change of 5 * |angle of the hull|, minus 0.028 for each "
        "motor at full torque; -100 for a fall"
    ),
    ends="the hull touches the ground, the robot goes back beyond the start, or it arrives at the end",
    original="Gymnasium BipedalWalker-v3",
)
_RACE = About(
    observation=(Part("picture from above, with score, speed and steering", "", 96 * 96 * 3),),
    action=(
        Part("steering, left to right"),
        Part("gas"),
        Part("brake; from 0.9 on the wheels stand still"),
    ),
    reward="1000 / tiles for each tile that a wheel touches first, minus 0.1 for each step; -100 off the field",
    ends="the lap is finished, or the car leaves the field",
    original="Gymnasium CarRacing-v3",
)
_KEYS = (
    Part("nothing"),
    Part("steer right, 0.6"),
    Part("steer left, 0.6"),
    Part("gas, 0.2"),
    Part("brake, 0.8"),
)

_ABOUT = {
    "LunarLander-v3": _LANDER,
    "LunarLanderContinuous-v3": replace(
        _LANDER, action=_THROTTLES, original="Gymnasium LunarLanderContinuous-v3"
    ),
    "BipedalWalker-v3": _WALKER,
    "BipedalWalkerHardcore-v3": replace(_WALKER, original="Gymnasium BipedalWalkerHardcore-v3"),
    "CarRacing-v3": _RACE,
    "CarRacingDiscrete-v3": replace(_RACE, action=_KEYS),
}


def about(spec: EnvSpec) -> About | None:
    """See `parallel_pool.plugin_api.About`."""
    return _ABOUT.get(spec.id.partition("/")[2])
