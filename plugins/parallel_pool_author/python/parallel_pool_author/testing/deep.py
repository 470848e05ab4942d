"""Play of thousands of steps in one shard, spent once: checks of what goes wrong late play it again in another
manner, and compare. A record has one number per step, environment and field.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool import native_checks

from parallel_pool_author.testing.env_under_test import Actions, EnvUnderTest
from parallel_pool_author.testing.findings import Finding

STEPS = 2000
"""Steps of deep play, ..."""
SECONDS = 0.25
"""... or as many as the usual manner takes in this time."""
ROLES = 8
"""Environments. Of the even ones episodes are as long as they like, the others are also reset on the way."""
PERIOD = 400
"""Steps after which actions repeat."""

USUAL = {"one_by_one": True, "memory": 0, "stack": 0, "fill": 0x11, "times": 1, "cut": 0, "look": 0}
"""The usual manner: see `_play`."""

Numbers = npt.NDArray[np.uint64]
"""Shape (steps + 1, environments, fields); the first is the reset."""


@dataclass(frozen=True)
class Baseline:
    """Deep play as all others are compared with it."""

    numbers: Numbers
    at: float
    """The moment at which it was played, as time.monotonic() counts."""


def usual(tested: EnvUnderTest) -> Baseline:
    """Environments of one shard, each in calls of its own, in memory and on a stack full of zeros."""
    if tested.deep is None:
        at = time.monotonic()
        (numbers,) = _play(tested, steps=STEPS, seconds=SECONDS)
        tested.deep = Baseline(numbers, at)
    found: Baseline = tested.deep
    return found


def parts(tested: EnvUnderTest, **manner: Any) -> str | None:
    """Says where play in this manner parts from the usual one, or returns None. See `_play`."""
    expected = usual(tested).numbers
    roles: Sequence[Sequence[int]] = manner.get("roles", [range(ROLES)])
    for mine, cast in zip(_play(tested, steps=len(expected) - 1, **manner), roles, strict=True):
        if found := _first(tested, expected[:, list(cast)], mine, cast):
            return found
    return None


def compare(tested: EnvUnderTest, words: str, advice: str, **manner: Any) -> None:
    """Raises Finding "{words}: where it parts. {advice}", unless play is not even like itself."""
    if difference := parts(tested, **manner):
        like_itself(tested)
        raise Finding(f"{words}: {difference}. {advice}")


def like_itself(tested: EnvUnderTest, words: str = "with the same seeds and actions") -> None:
    """The usual play, played again now, is the same."""
    if difference := parts(tested):
        raise Finding(
            f"an environment that is played twice {words} parts: {difference}. Take random numbers from the "
            "pp::Rng that reset and step are given (never std::rand, the clock, in seconds neither, or "
            "std::random_device), initialise every member, and keep nothing in static, global or thread_local "
            "variables: they outlive an environment"
        )


def steps(tested: EnvUnderTest) -> int:
    """Returns the number of steps of deep play."""
    return len(usual(tested).numbers) - 1


def _play(
    tested: EnvUnderTest,
    *,
    steps: int,
    seconds: float = 0.0,
    roles: Sequence[Sequence[int]] | None = None,
    **manner: Any,
) -> list[Numbers]:
    """Returns the numbers of each shard. roles: per shard those that its lanes have; each shard plays in a
    thread of its own. one_by_one: lanes are stepped in calls of their own. memory, stack: the byte that new
    memory and the stack hold (-1: any); fill: what rows hold before they are written. times: how often the
    same shard plays the same; the last counts. cut: the step after which states are saved, and restored in
    another shard that goes on. look: the step after which all are drawn.
    """
    config = tested.config
    if tested.deep_actions is None:
        table = Actions(tested, ROLES, max(tested.steps, PERIOD))
        table.hold(5, "low")
        table.hold(6, "high")
        table.hold_one(7, 2)
        tested.deep_actions = table.arrays(config)
    played = native_checks.play(
        *tested.native,
        tested.deep_actions,
        roles=[list(each) for each in roles or [range(ROLES)]],
        calls=steps,
        seconds=seconds,
        limit=config.arguments.max_episode_steps or 0,
        **{**USUAL, **manner},
    )
    for _, findings in played:
        if findings:
            raise Finding("; ".join(findings))
    return [numbers for numbers, _ in played]


def _first(
    tested: EnvUnderTest, mine: Numbers, theirs: Numbers, roles: Sequence[int]
) -> str | None:
    common = min(len(mine), len(theirs))
    differing = np.argwhere(mine[:common] != theirs[:common])
    if len(differing) == 0:
        return None
    step, place, number = map(int, differing[0])
    config = tested.config
    field = config.plugin.describe(config.env.native_id, config.options)["fields"][number]
    name = f"{field['role']} {field['name']!r}" if field["name"] else field["role"]
    moment = f"at step {step}" if step else "at its reset"
    return f"the {name} of environment {roles[place]} {moment}"
