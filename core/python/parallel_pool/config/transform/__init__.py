"""Observations and rewards made ready for a learner: what the argument `transform` means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.config.transform.kinds import checked
from parallel_pool.config.transform.stages import CastTo, Channels, Normalize, Stack, Stage, named
from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field, bounds
from parallel_pool.schema.result_tree import Flattened, LearningReward, Node
from parallel_pool.schema.running_statistics import RunningStatistics


@dataclass(frozen=True)
class Vector:
    """Fields that are one vector."""

    numbers: Sequence[int]
    """In the order of the vector; it stands in the place of the first field of the observation."""
    dtype: np.dtype[Any]
    width: int


@dataclass(frozen=True)
class Transform:
    """Checked, with what one pool knows and keeps for it."""

    values: Mapping[str, Any]
    """All members, by name."""
    fields: Sequence[Field]
    """Those of the environment, with observations as they come out."""
    stages: Mapping[int, Sequence[Stage]]
    """By the field's number, in the order in which they are done."""
    vector: Vector | None
    reward_statistics: RunningStatistics | None
    sums: npt.NDArray[np.float32]
    """The discounted sum of rewards of each environment."""

    def obs(self, number: int, column: Callable[[int], Node], *, final: bool) -> Node:
        """The observation of this number, made of the environment's own columns."""
        if self.vector is None:
            node = column(number)
        else:
            parts = tuple(column(each) for each in self.vector.numbers)
            node = Flattened(parts, self.vector.dtype, self.vector.width)
        for stage in self.stages[number]:
            node = stage.node(node, final=final)
        return node

    def reward(self, column: Node, *, same_step: bool) -> Node:
        """The reward, made of this column of rewards and of its dtype."""
        values = self.values
        plain = values["scale_reward"] == 1.0 and values["clip_reward"] is None
        if plain and self.reward_statistics is None:
            return column
        return LearningReward(
            column,
            self.reward_statistics,
            self.sums,
            same_step=same_step,
            gamma=values["gamma"],
            epsilon=values["epsilon"],
            scale=values["scale_reward"],
            clip=values["clip_reward"],
        )

    def obs_statistics(self, number: int) -> RunningStatistics | None:
        """Of the observation of this number; None: it is not normalised."""
        for stage in self.stages[number]:
            if isinstance(stage, Normalize):
                return stage.statistics
        return None

    def begin(self, env_id: Any) -> None:
        """The sums of rewards of these environments (None: all) begin anew, as a reset was asked for."""
        self.sums[slice(None) if env_id is None else env_id] = 0

    def restored(self, env_id: Any) -> None:
        """The next observation of these environments (None: all) is like the first of an episode."""
        for stack in self._stacks():
            stack.begins[slice(None) if env_id is None else env_id] = True

    def known(self) -> tuple[Any, ...]:
        """What `assign` takes, in another pool of the same kind: to be pickled."""
        statistics = {number: self.obs_statistics(number) for number in self.stages}
        stacks = [stack.known() for stack in self._stacks()]
        return statistics, self.reward_statistics, self.sums, stacks

    def assign(self, known: tuple[Any, ...]) -> None:
        """Goes on with what another one knew."""
        statistics, reward, sums, stacks = known
        for number in self.stages:
            ours = self.obs_statistics(number)
            if ours is not None:
                ours.assign(statistics[number])
        if self.reward_statistics is not None:
            self.reward_statistics.assign(reward)
        np.copyto(self.sums, sums)
        for stack, each in zip(self._stacks(), stacks, strict=True):
            stack.assign(each)

    def _stacks(self) -> list[Stack]:
        return [
            stage for stages in self.stages.values() for stage in stages if isinstance(stage, Stack)
        ]


def transform_of(
    owner: str, given: Any, fields: Sequence[Field], common: Mapping[str, Any], *, pictures: bool
) -> Transform | None:
    """What is asked for; None: nothing. Raises OptionError that names what is not possible.

    pictures: whether observations are drawn from scenes, whose fields say nothing about them.
    """
    if given is None:
        return None
    values = checked(owner, given)
    if common["max_num_players"] != 1:
        raise OptionError(
            f"{owner}: transform is for environments with one player, and this one has up to "
            f"{common['max_num_players']}: leave it out"
        )
    num_envs = common["num_envs"]
    changed = list(fields)
    vector = None
    if values["flatten_obs"]:
        vector = _flatten(owner, changed)
    stages = {
        number: _stages(values, field, num_envs)
        for number, field in enumerate(changed)
        if field["role"] == "obs"
    }
    if pictures and any(stages.values()):
        raise OptionError(
            f"{owner}: observations are pictures (from_pixels), which transform leaves as they are: only "
            "rewards can be transformed"
        )
    normalized = [each for done in stages.values() for each in done if isinstance(each, Normalize)]
    if values["normalize_obs"] and not normalized:
        raise OptionError(f"{owner}: no observation is a Box, so there is none for normalize_obs")
    if values["clip_obs"] is not None and not normalized:
        raise OptionError(
            f"{owner}: clip_obs is for normalized observations: add normalize_obs=True"
        )
    for number, done in stages.items():
        for stage in done:
            changed[number] = stage.field(owner, changed[number])
    return Transform(
        values=values,
        fields=changed,
        stages=stages,
        vector=vector,
        reward_statistics=RunningStatistics() if values["normalize_reward"] else None,
        sums=np.zeros(num_envs, np.float32),
    )


def _stages(values: Mapping[str, Any], field: Field, num_envs: int) -> list[Stage]:
    numbers = field["kind"] == "box" and field["dtype"].kind in "fiu"
    stages: list[Stage] = []
    if values["channels"] is not None:
        stages.append(Channels(values["channels"]))
    if values["frame_stack"] > 1:
        stages.append(Stack(values["frame_stack"], num_envs))
    if values["normalize_obs"] and numbers:
        stages.append(Normalize(values["epsilon"], values["clip_obs"]))
    if values["obs_dtype"] is not None and numbers:
        stages.append(CastTo(values["obs_dtype"]))
    return stages


def _flatten(owner: str, fields: list[Field]) -> Vector | None:
    """Puts one vector in place of several observations, as Gymnasium's FlattenObservation does."""
    numbers = [number for number, field in enumerate(fields) if field["role"] == "obs"]
    for each in (fields[number] for number in numbers):
        if each["kind"] != "box":
            raise OptionError(
                f"{owner}: {named(each)} is of kind {each['kind']}, no Box: leave flatten_obs out of transform"
            )
    place = numbers[0]
    numbers.sort(key=lambda number: _path(fields[number]["name"]))
    parts = [fields[number] for number in numbers]
    limits = [[limit.reshape(-1) for limit in _full_bounds(each)] for each in parts]
    low, high = (np.concatenate(each) for each in zip(*limits, strict=True))
    dtype = np.result_type(*(each["dtype"] for each in parts))
    for number in numbers:  # no part of the observation any more, and the others keep their numbers
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
    return Vector(numbers, dtype, len(low))


def _path(name: str) -> list[tuple[int, str]]:
    """What sorts names as Gymnasium sorts keys: by letters, parts of tuples by number."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in name.split("/")]


def _full_bounds(field: Field) -> list[npt.NDArray[Any]]:
    return [np.broadcast_to(limit, field["shape"]) for limit in bounds(field)]
