"""EnvPool's shaped rewards and combined actions: what users write, as texts and as settings of the library.

A config is a dict, `{"HEALTH": (0.005, -0.003)}`, or as a text `HEALTH=0.005,-0.003`, entries apart by spaces.
"""

import struct
from collections.abc import Mapping, Sequence

from parallel_pool_vizdoom._cfg import CfgError
from parallel_pool_vizdoom._names import BINARY_BUTTONS, BUTTONS, VARIABLES, nearest

SCENARIO = "scenario"
ENVPOOL = "envpool"

_REWARDS: dict[str, tuple[float, float]] = {
    "FRAGCOUNT": (1, -1.5),
    "KILLCOUNT": (1, 0),
    "DEATHCOUNT": (-0.75, 0.75),
    "HITCOUNT": (0.01, -0.01),
    "DAMAGECOUNT": (0.003, -0.003),
    "HEALTH": (0.005, -0.003),
    "ARMOR": (0.005, -0.001),
    **{f"WEAPON{i}": (0.02, -0.01) for i in range(3)},
    **{f"AMMO{i}": (0.0002, -0.0001) for i in range(3)},
    **{f"WEAPON{i}": (0.1, -0.05) for i in range(3, 6)},
    **{f"AMMO{i}": (0.001, -0.0005) for i in range(3, 6)},
    **{f"WEAPON{i}": (0.2, -0.1) for i in range(6, 8)},
    **{f"AMMO{i}": (0.002, -0.001) for i in range(6, 8)},
}
"""EnvPool's, for the change of each variable up and down."""
_WEAPONS = {i: (0.0002 if i < 3 else 0.001 if i < 6 else 0.002,) for i in range(8)}
"""EnvPool's, for holding the weapon of each slot."""

INFO = (
    *(f"AMMO{i}" for i in range(2, 8)),
    *("ARMOR", "DAMAGECOUNT", "DEATHCOUNT", "FRAGCOUNT", "HEALTH", "HITCOUNT", "KILLCOUNT"),
    *("SELECTED_WEAPON", "SELECTED_WEAPON_AMMO", "USER2"),
)
"""The variables that infos have. They count, and those of the cfg."""


def as_text(config: Mapping[object, object]) -> str:
    """A dict as a text. The empty one, which rewards nothing, is not the empty text."""
    entries = (
        f"{name}={','.join(map(str, value if isinstance(value, Sequence) else (value,)))}"
        for name, value in config.items()
    )
    return " ".join(entries) or "none"


def variable_rewards(text: str, variables: Sequence[int]) -> list[tuple[int, float, float]]:
    """Number, reward up, reward down of each variable that counts, in EnvPool's order."""
    if text == SCENARIO:
        return []
    config: Mapping[str, Sequence[float]] = _REWARDS
    if text != ENVPOOL:
        config = _entries("reward_config", text, 2, "a reward up and one down")
        for name in config:
            if name not in VARIABLES:
                raise CfgError(f"reward_config: {nearest('game variable', name, VARIABLES)}")
    result = []
    for number in dict.fromkeys([*variables, *map(VARIABLES.index, INFO)]):
        up, down = config.get(VARIABLES[number], (0, 0))
        if up or down:
            result.append((number, _single(up), _single(down)))
    return result


def weapon_rewards(text: str) -> list[tuple[int, float]]:
    """Slot and reward of each weapon that has one."""
    config: Mapping[str, Sequence[float]] = {str(slot): each for slot, each in _WEAPONS.items()}
    if text != ENVPOOL:
        config = _entries("selected_weapon_reward_config", text, 1, "a reward")
    slots = [str(i) for i in range(10)]
    for slot in config:
        if slot not in slots:
            raise CfgError(
                f"selected_weapon_reward_config: there is no weapon slot {slot}, expected 0 to 9"
            )
    return [(int(slot), _single(reward)) for slot, (reward,) in config.items()]


def delta_levels(text: str, buttons: Sequence[int]) -> list[tuple[int, int, float, float]]:
    """Button, count, least and most of each button that takes numbers, for combined actions."""
    config = _entries("delta_button_config", text, 3, "a count, the least and the most")
    names = BUTTONS[BINARY_BUTTONS:]
    for name, (count, _, _) in config.items():
        if name not in names:
            raise CfgError(
                f"delta_button_config: {nearest('button that takes numbers', name, names)}"
            )
        if BUTTONS.index(name) not in buttons:
            raise CfgError(f"delta_button_config: the scenario has no {name}")
        if count != int(count) or not 1 <= count <= 1000:
            raise CfgError(f"delta_button_config: {name} has {count} values, expected 1 to 1000")
    return [
        (BUTTONS.index(name), int(count), least, most)
        for name in names
        if name in config
        for count, least, most in [config[name]]
    ]


def _entries(option: str, text: str, count: int, what: str) -> dict[str, tuple[float, ...]]:
    result = {}
    for entry in () if text == "none" else text.split():
        name, _, values = entry.partition("=")
        try:
            numbers = tuple(map(float, values.split(",")))
        except ValueError:
            numbers = ()
        if len(numbers) != count or not all(abs(each) < 1e30 for each in numbers):
            raise CfgError(f"{option}: {name} is {values!r}, expected {what}")
        result[name] = numbers
    return result


def _single(value: float) -> float:
    """EnvPool keeps weights in single precision."""
    return float(struct.unpack("f", struct.pack("f", value))[0])
