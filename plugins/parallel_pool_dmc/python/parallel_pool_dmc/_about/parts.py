"""Words for the parts of observations and rewards."""

from collections.abc import Iterable, Sequence

from parallel_pool.plugin_api import Part

from parallel_pool_dmc._about.bodies import JOINTS

EFFORT = "(4 + mean of max(0, 1 - a**2)) / 5 of the action's numbers a"
CLIP = "cut to 0 .. 1"

Keys = dict[str, Sequence[Part]]
"""The parts of each key of an observation."""


def parts(unit: str, *meanings: str) -> list[Part]:
    return [Part(meaning, unit) for meaning in meanings]


def angles(joints: Iterable[str]) -> list[Part]:
    return [Part(f"angle, {joint}", "rad") for joint in joints]


def speeds(joints: Iterable[str]) -> list[Part]:
    return [Part(f"angular velocity, {joint}", "rad/s") for joint in joints]


def xyz(what: str, unit: str, axes: str = "xyz") -> list[Part]:
    return [Part(f"{axis} of {what}", unit) for axis in axes]


def names(domain: str) -> list[str]:
    return list(JOINTS[domain].values())


def soft(excess: str, margin: str) -> str:
    """The formula of dm_control's tolerance outside of its bounds."""
    return f"0.1**(({excess} / {margin})**2)"
