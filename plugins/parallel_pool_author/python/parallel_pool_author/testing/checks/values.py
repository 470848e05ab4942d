"""Spaces that mean something, and values that lie in them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from parallel_pool.author_api import hooks, registry
from parallel_pool.pool_api import Field, bounds, space_of, space_size, text_space

from parallel_pool_author.testing.checks.original import leaves_its_bounds
from parallel_pool_author.testing.env_under_test import EnvUnderTest, Row, flatten
from parallel_pool_author.testing.findings import Finding

FAR = 2000
"""Some values go wrong late in an episode. This many steps are taken, ..."""
SECONDS = 1.0
"""... or as many as can be in this time, if that is more than the trajectories of other checks."""


def spaces(tested: EnvUnderTest) -> str | None:
    """Observation and action spaces exist and fit their About, bounds are in order, actions can be drawn."""
    config = tested.config
    found = registry().resolve(tested.env_id)
    about = None if tested.options else hooks.about(found.plugin, found.spec)
    for field in config.fields:
        low, high = bounds(field)
        if field["dtype"].kind == "f" and (np.isnan(low).any() or np.isnan(high).any()):
            raise Finding(
                f"{_name(field)} has NaN as a bound: leave bounds out where there are none"
            )
        if (low > high).any():
            raise Finding(
                f"{_name(field)} is bounded by {low.flat[0]} .. {high.flat[0]}: the lower bound comes first"
            )
        if field["kind"] in ("discrete", "multi_discrete") and field["dtype"].kind not in "iu":
            raise Finding(
                f"{_name(field)} is discrete and of dtype {field['dtype']}: use an integer"
            )
    for role, name in ("obs", "observation"), ("action", "action"):
        if not any(field["role"] == role for field in config.fields):
            raise Finding(
                f"there is no {role}: an environment without one cannot be used for learning"
            )
        parts, numbers = getattr(about, name, ()), space_size(space_of(config.fields, role))
        if parts and (said := sum(part.count for part in parts)) != numbers:
            raise Finding(
                f"parallel_pool_about describes {said} numbers of the {name}, which has {numbers}: "
                "`parallel-pool info` shows no table of them"
            )
    space: gymnasium.Space[Any] = space_of(config.fields, "action")
    space.seed(0)
    if not space.contains(space.sample()):
        raise Finding(f"the action space {space} does not contain what it samples")
    return f"{space_of(config.fields, 'obs')} -> {space}"


def values(tested: EnvUnderTest) -> str | None:
    """Observations and infos lie in their declared spaces, rewards are finite, and nothing breaks: over random
    play, and over play that holds on to the least and to the most of each action.
    """
    envs = 5
    table = tested.actions(envs)
    notes: set[str] = set()

    def look(field: Field, rows: npt.NDArray[Any], step: int) -> None:
        try:
            _inside(field, rows, step)
        except _Outside as outside:
            note = f"{_name(field)} leaves its bounds, as the original's does"
            if note in notes:
                return
            if field["role"] != "obs" or not leaves_its_bounds(tested, table, step, outside.env):
                raise Finding(str(outside)) from None
            notes.add(note)

    fields = [
        (field, path)
        for role in ("obs", "info")
        for field, path in _paths(tested.config.fields, role)
    ]
    with tested.pool(num_envs=envs, seed=1) as pool:
        begun = flatten(pool.reset())
        for field, path in fields:
            look(field, _of_players(field, begun, path), 0)
        start, step = time.monotonic(), 0
        while step < table.steps or (step < FAR and time.monotonic() - start < SECONDS):
            answer = flatten(pool.step(table.at(step)))
            for field, path in fields:
                look(field, _of_players(field, answer, path), step + 1)
            _unbroken(answer, step + 1)
            reward = answer["reward"]
            if not np.isfinite(reward).all():
                raise Finding(
                    f"a reward at step {step + 1} is {reward[~np.isfinite(reward)][0]}: rewards are finite"
                )
            step += 1
    return "; ".join([f"{step} steps of {envs} environments", *sorted(notes)])


class _Outside(Exception):
    """A value outside of its bounds, of this environment."""

    def __init__(self, text: str, env: int) -> None:
        super().__init__(text)
        self.env = env


def _paths(fields: Sequence[Field], role: str) -> list[tuple[Field, str]]:
    """Each field of a role with the path at which `flatten` has it."""
    return [
        (
            field,
            "/".join([role, *_PLAYERS[: field["per_player"] and role == "info"], *_named(field)]),
        )
        for field in fields
        if field["role"] == role
    ]


_PLAYERS = ("players",)


def _named(field: Field) -> tuple[str, ...]:
    return (field["name"],) if field["name"] else ()


def _of_players(field: Field, answer: Row, path: str) -> npt.NDArray[Any]:
    """The array at `path`, without the places where no player is: those are zeros."""
    return answer[path][answer["info/players/present"]] if field["per_player"] else answer[path]


def _unbroken(answer: Row, step: int) -> None:
    reasons = [
        (env, said) for env, said in enumerate(answer.get("info/error", ())) if said is not None
    ]
    if reasons:
        env, said = reasons[0]
        raise Finding(
            f"environment {env} gives up its episode at step {step} with valid actions: {said}. "
            "Outcome::error is for what breaks outside of the environment, an engine's process say; "
            "whatever lies in the action space has to work"
        )


def _inside(field: Field, array: npt.NDArray[Any], step: int) -> None:
    moment = "after a reset" if step == 0 else f"at step {step}"
    if array.dtype != field["dtype"]:
        raise Finding(
            f"{_name(field)} is handed out as {array.dtype}, declared as {field['dtype']}"
        )
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise Finding(
            f"{_name(field)} {moment} has a NaN: what cannot be computed has to end the episode instead"
        )
    if field["kind"] == "text":
        _expect_texts(field, array, moment)
    low, high = bounds(field)
    outside = (array < low) | (array > high)
    if outside.any():
        where = tuple(index[0] for index in np.nonzero(outside))
        text = (
            f"{_name(field)} {moment} is {array[where]}, outside of its bounds "
            f"{np.broadcast_to(low, array.shape)[where]} .. {np.broadcast_to(high, array.shape)[where]}: "
            + (
                "widen the bounds of the space, or clip; if an original does the same, name it as a reference, "
                "and this is a note"
                if field["kind"] == "box"
                else "a discrete space of n has the values 0 .. n - 1"
            )
        )
        raise _Outside(text, int(where[0]))


def _expect_texts(field: Field, array: npt.NDArray[Any], moment: str) -> None:
    space = text_space(field)
    for row in array:
        text, _, behind = row.tobytes().partition(b"\0")
        if behind.strip(b"\0"):
            raise Finding(
                f"{_name(field)} {moment} has bytes behind its text {text!r}: zeros belong there, which "
                "obs = text and pp::write_text write"
            )
        try:
            said = text.decode()
        except UnicodeDecodeError as error:
            raise Finding(
                f"{_name(field)} {moment} is {text!r}, which is no UTF-8: {error}"
            ) from None
        if said not in space:
            wrong = sorted(set(said) - space.character_set)
            raise Finding(
                f"{_name(field)} {moment} is {said!r}: a text in ASCII has what can be printed and the end of "
                f"a line, not {wrong[0]!r}; for others, .bounds(0, 255) in describe() makes it UTF-8"
            )


def _name(field: Field) -> str:
    return f"{field['role']} {field['name']!r}" if field["name"] else f"the {field['role']}"
