"""Observations and rewards made ready for a learner: what the argument `transform` means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from parallel_pool.config.transform.kinds import TransformArguments
from parallel_pool.config.transform.stages import (
    CastTo,
    Channels,
    Normalize,
    Resize,
    Stack,
    Stage,
    is_pictures,
    named,
)
from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field, bounds
from parallel_pool.schema.texts import expect_array_fields


@dataclass(frozen=True)
class Vector:
    """Fields that are joined into one vector."""

    numbers: Sequence[int]
    """In the order of the vector; it stands in the place of the first field of the observation."""
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Transform:
    """What is done to observations and rewards. It never changes: see TransformState."""

    arguments: TransformArguments
    fields: Sequence[Field]
    """The fields of the environment, with observations as they are after all stages."""
    stages: Mapping[int, Sequence[Stage]]
    """Of observations, by the field's number, in the order in which they are done."""
    vector: Vector | None

    @property
    def changes_rewards(self) -> bool:
        """Whether rewards are not the environment's own."""
        given = self.arguments
        return given.normalize_reward or given.scale_reward != 1.0 or given.clip_reward is not None


def transform_of(
    owner: str, arguments: TransformArguments, players: int, fields: Sequence[Field], *, drawn: bool
) -> Transform:
    """The transform of a pool with at most so many players. Raises OptionError that names what is not possible.

    drawn: whether observations are pictures of scenes, which are drawn with the channels where `arguments` want
    them. Nothing else can be done to them.
    """
    if players != 1:
        raise OptionError(
            f"{owner}: transform is for environments with one player, and this one has up to "
            f"{players}: leave it out"
        )
    changed = list(fields)
    vector = _flatten(owner, changed) if arguments.flatten_obs else None
    observed = [number for number, field in enumerate(changed) if field["role"] == "obs"]
    to_do = replace(arguments, channels=None) if drawn else arguments
    makers = {number: _makers(owner, to_do, changed[number]) for number in observed}
    if drawn and any(makers.values()):
        raise OptionError(
            f"{owner}: observations are pictures (from_pixels), of which transform can only choose the axis of "
            "channels; rewards can be transformed"
        )
    if arguments.resize is not None and not any(is_pictures(changed[each]) for each in observed):
        raise OptionError(
            f"{owner}: no observation is an 8-bit picture, so there is none for resize"
        )
    normalized = arguments.normalize_obs and any(_is_numbers(changed[each]) for each in observed)
    if arguments.normalize_obs and not normalized:
        raise OptionError(f"{owner}: no observation is a Box, so there is none for normalize_obs")
    if arguments.clip_obs is not None and not normalized:
        raise OptionError(
            f"{owner}: clip_obs is for normalized observations: add normalize_obs=True"
        )
    stages: dict[int, list[Stage]] = {number: [] for number in observed}
    for number, make_all in makers.items():
        for make in make_all:
            stages[number].append(make(changed[number]))
            changed[number] = stages[number][-1].field
    return Transform(arguments, changed, stages, vector)


def _is_numbers(field: Field) -> bool:
    return field["kind"] == "box" and field["dtype"].kind in "fiu"


def _makers(
    owner: str, arguments: TransformArguments, field: Field
) -> list[Callable[[Field], Stage]]:
    """Functions that make the stages of a field; each gets the field as the stage before leaves it."""
    if field["kind"] in ("text", "object"):
        return []
    numbers = _is_numbers(field)
    makers: list[Callable[[Field], Stage]] = []
    if arguments.resize is not None and is_pictures(field):
        makers.append(partial(Resize.of, owner, arguments.resize))
    if arguments.channels is not None:
        makers.append(partial(Channels.of, owner, arguments.channels))
    if arguments.frame_stack > 1:
        makers.append(partial(Stack.of, arguments.frame_stack))
    if arguments.normalize_obs and numbers:
        makers.append(partial(Normalize.of, arguments.epsilon, arguments.clip_obs))
    if arguments.obs_dtype is not None and numbers:
        makers.append(partial(CastTo.of, owner, arguments.obs_dtype))
    return makers


def _flatten(owner: str, fields: list[Field]) -> Vector:
    """Puts one vector in place of several observations, as Gymnasium's FlattenObservation does."""
    numbers = [number for number, field in enumerate(fields) if field["role"] == "obs"]
    expect_array_fields([fields[number] for number in numbers], owner, "the vector of flatten_obs")
    for each in (fields[number] for number in numbers):
        if each["kind"] != "box":
            raise OptionError(
                f"{owner}: {named(each)} is of kind {each['kind']}, no Box: leave flatten_obs out of transform"
            )
    place = numbers[0]
    numbers.sort(key=lambda number: _path(fields[number]["name"]))
    parts = [fields[number] for number in numbers]
    limits = [[limit.reshape(-1) for limit in bounds(each)] for each in parts]
    low, high = (np.concatenate(each) for each in zip(*limits, strict=True))
    dtype = np.result_type(*(each["dtype"] for each in parts))
    for number in numbers:  # no longer an observation; the other fields keep their numbers
        fields[number] = {**fields[number], "role": "part"}
    fields[place] = {
        **fields[place],
        "role": "obs",
        "name": "",
        "kind": "box",
        "dtype": dtype,
        "shape": low.shape,
        "low": low.astype(dtype),
        "high": high.astype(dtype),
    }
    return Vector(numbers, dtype)


def _path(name: str) -> list[tuple[int, str]]:
    """A key that sorts names as Gymnasium does: by letters, parts of tuples by number."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in name.split("/")]
