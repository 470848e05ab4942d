"""Observations and rewards made ready for a learner: what the argument `transform` means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.config.kinds import Choice, Flag, Kind
from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field, bounds
from parallel_pool.schema.running_statistics import RunningStatistics


@dataclass(frozen=True)
class Number:
    """A number of a range, the ends of which may belong to it."""

    low: float
    high: float = np.inf
    ends: bool = True

    def accept(self, value: Any) -> float:
        """See Kind."""
        number = isinstance(value, Real) and not isinstance(value, bool)
        inside = number and self.low <= float(value) <= self.high
        if not inside or (not self.ends and float(value) == self.low):
            beyond = f"in {self.low:g} .. {self.high:g}" if self.high < np.inf else "more than 0"
            raise ValueError(f"a number {beyond}")
        return float(value)


@dataclass(frozen=True)
class Range:
    """Two numbers, the lower first, or one for -x .. x; None: no limits."""

    def accept(self, value: Any) -> tuple[float, float] | None:
        """See Kind."""
        if value is None:
            return None
        pair = (-value, value) if isinstance(value, Real) else value
        try:
            low, high = (float(each) for each in pair)
        except (TypeError, ValueError):
            low, high = 1.0, 0.0
        if not low < high:
            raise ValueError("(low, high), or one number for both sides, or None")
        return low, high


@dataclass(frozen=True)
class Perhaps:
    """None, or what another kind accepts."""

    kind: Kind

    def accept(self, value: Any) -> Any:
        """See Kind."""
        return None if value is None else self.kind.accept(value)


MEMBERS: Mapping[str, tuple[Any, Kind, str]] = {
    "normalize_obs": (
        False,
        Flag(),
        "observations less their running mean, by their deviation; float32",
    ),
    "clip_obs": (None, Perhaps(Number(0, ends=False)), "normalised observations kept in -x .. x"),
    "obs_dtype": (
        None,
        Perhaps(Choice(("float32", "float16", "uint8"))),
        "the dtype of observations",
    ),
    "normalize_reward": (False, Flag(), "rewards by the deviation of their discounted sum"),
    "gamma": (0.99, Number(0, 1), "the discount of that sum"),
    "scale_reward": (1.0, Number(-np.inf), "rewards times this, after they are normalised"),
    "clip_reward": (None, Range(), "rewards kept in (low, high), or -x .. x, at last"),
    "epsilon": (1e-8, Number(0, ends=False), "what is added to variances"),
}
"""Name: default, what is allowed, meaning."""


@dataclass(frozen=True)
class Transform:
    """Checked, with the statistics of one pool."""

    values: Mapping[str, Any]
    """Of MEMBERS, all of them."""
    observations: Mapping[int, RunningStatistics]
    """By the field's number: those that are normalised."""
    reward: RunningStatistics | None
    sums: npt.NDArray[np.float32]
    """The discounted sum of rewards of each environment."""

    @property
    def changes_reward(self) -> bool:
        """Whether rewards are not those of the environment."""
        values = self.values
        return bool(
            self.reward is not None
            or values["scale_reward"] != 1.0
            or values["clip_reward"] is not None
        )

    def known(self) -> tuple[Any, ...]:
        """What `assign` takes, in another pool of the same kind: to be pickled."""
        return dict(self.observations), self.reward, self.sums

    def assign(self, known: tuple[Any, ...]) -> None:
        """Goes on with what another one knew."""
        observations, reward, sums = known
        for number, statistics in self.observations.items():
            statistics.assign(observations[number])
        if self.reward is not None:
            self.reward.assign(reward)
        np.copyto(self.sums, sums)

    def fields(self, fields: Sequence[Field]) -> list[Field]:
        """The fields as results have them."""
        return [self._field(number, each) for number, each in enumerate(fields)]

    def _field(self, number: int, each: Field) -> Field:
        if each["role"] != "obs":
            return each
        if number in self.observations:
            limit = np.inf if self.values["clip_obs"] is None else self.values["clip_obs"]
            low, high = np.array(-limit, np.float32), np.array(limit, np.float32)
            each = {**each, "dtype": np.dtype(np.float32), "low": low, "high": high}
        if self.values["obs_dtype"] is not None and _is_numbers(each):
            dtype = np.dtype(self.values["obs_dtype"])
            low, high = (limit.astype(dtype) for limit in bounds(each))
            each = {**each, "dtype": dtype, "low": low, "high": high}
        return each


def transform_of(
    owner: str, given: Any, fields: Sequence[Field], common: Mapping[str, Any], *, pictures: bool
) -> Transform | None:
    """What is asked for; None: nothing. Raises OptionError that names what is not possible.

    pictures: whether observations are drawn from scenes, whose fields say nothing about them.
    """
    if given is None:
        return None
    values = _checked(owner, given)
    if common["max_num_players"] != 1:
        raise OptionError(
            f"{owner}: transform is for environments with one player, and this one has up to "
            f"{common['max_num_players']}: leave it out"
        )
    if pictures and (values["normalize_obs"] or values["obs_dtype"] is not None):
        raise OptionError(
            f"{owner}: observations are pictures (from_pixels), which are uint8: leave normalize_obs and "
            "obs_dtype out of transform"
        )
    observations = {
        number: RunningStatistics(each["shape"], begins_narrow=True)
        for number, each in enumerate(fields)
        if each["role"] == "obs" and _is_numbers(each) and values["normalize_obs"]
    }
    if values["normalize_obs"] and not observations:
        raise OptionError(f"{owner}: no observation is a Box, so there is none for normalize_obs")
    if values["clip_obs"] is not None and not observations:
        raise OptionError(
            f"{owner}: clip_obs is for normalized observations: add normalize_obs=True"
        )
    _expect_fit(owner, values, fields)
    return Transform(
        values=values,
        observations=observations,
        reward=RunningStatistics() if values["normalize_reward"] else None,
        sums=np.zeros(common["num_envs"], np.float32),
    )


def table() -> str:
    """The table of docs/transforms.md, in Markdown."""
    rows = [f"| `{name}` | {default} | {doc} |\n" for name, (default, _, doc) in MEMBERS.items()]
    return "| name | default | meaning |\n|---|---|---|\n" + "".join(rows)


def _checked(owner: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise OptionError(
            f"{owner}: transform is {given!r}, expected a dict such as {{'normalize_obs': True}}"
        )
    unknown = [name for name in given if name not in MEMBERS]
    if unknown:
        raise OptionError(
            f"{owner}: transform has {unknown[0]!r}, expected some of {', '.join(MEMBERS)}"
        )
    values = {}
    for name, (default, kind, _) in MEMBERS.items():
        value = given.get(name, default)
        try:
            values[name] = kind.accept(value)
        except ValueError as error:
            raise OptionError(
                f"{owner}: {name} of transform is {value!r}, expected {error}"
            ) from None
    return values


def _is_numbers(each: Field) -> bool:
    return each["kind"] == "box" and each["dtype"].kind in "fiu"


def _expect_fit(owner: str, values: Mapping[str, Any], fields: Sequence[Field]) -> None:
    """Raises OptionError where an observation has values that obs_dtype does not have."""
    if values["obs_dtype"] != "uint8":
        return
    for each in fields:
        if each["role"] != "obs" or not _is_numbers(each):
            continue
        low, high = bounds(each)
        if values["normalize_obs"] or low.min() < 0 or high.max() > 255:
            named = f"observation {each['name']!r}" if each["name"] else "the observation"
            seen = (
                "normalized" if values["normalize_obs"] else f"in {low.min():g} .. {high.max():g}"
            )
            raise OptionError(f"{owner}: {named} is {seen}, and obs_dtype='uint8' has 0 .. 255")
