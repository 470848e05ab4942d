"""Checks whether the environments of a mixed pool fit together, and finds what would make them fit.

They must have the same actions, bounds included, and results of the same fields, dtypes and shapes. Bounds of
observations may differ, as in Gymnasium's vector environments with observation_mode="different"; the pool's
space is then the smallest that holds the observations of all environments, because in an asynchronous pool any
environment may be in any row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from parallel_pool.config.env_options import EnvVariants, Variant
from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field, bounds

_NAMES = {"obs": "observation"}


def common_fields(variants: EnvVariants) -> Sequence[Field]:
    """The fields of every environment of the pool. Raises OptionError naming two that disagree."""
    first = variants.distinct[0]
    fields: Sequence[Field] = first.description["fields"]
    for other in variants.distinct[1:]:
        if difference := next(_differences(first.description, other.description), None):
            raise OptionError(
                f"{_both(first, other)} of one pool differ in {difference}. {_remedy(variants, first, other)}"
            )
        fields = [_union(*pair) for pair in zip(fields, other.description["fields"], strict=True)]
    return fields


def common_limit(variants: EnvVariants) -> int | None:
    """The time limit of every environment; None: none. Raises OptionError naming two that disagree."""
    limits = [_limit(variant) for variant in variants.distinct]
    for limit, other in zip(limits, variants.distinct, strict=True):
        if limit != limits[0]:
            said = [f"{each} steps" if each else "none" for each in (limits[0], limit)]
            raise OptionError(
                f"{_both(variants.distinct[0], other)} of one pool differ in their time limit: {said[0]} and "
                f"{said[1]}. A pool has one: pass max_episode_steps={max(limits[0] or 0, limit or 0)}, or "
                "another"
            )
    return limits[0]


def common_threshold(variants: EnvVariants) -> float | None:
    """The return at which the task counts as solved; None if environments differ in it."""
    thresholds = {_threshold(variant) for variant in variants.distinct}
    return thresholds.pop() if len(thresholds) == 1 else None


def _limit(variant: Variant) -> int | None:
    return variant.env.max_episode_steps or variant.description["max_episode_steps"] or None


def _threshold(variant: Variant) -> float | None:
    own = variant.env.reward_threshold
    declared = variant.description["reward_threshold"]
    return own if own is not None or np.isnan(declared) else declared


def _both(first: Variant, other: Variant) -> str:
    names = [f"{each.first} ({each.env.id})" for each in (first, other)]
    return f"environments {names[0]} and {names[1]}"


def _differences(one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    """Why two descriptions do not fit into one pool, in words."""
    if one["max_players"] != other["max_players"]:
        yield f"their number of players: {one['max_players']} and {other['max_players']}"
    if one["resets_itself"] != other["resets_itself"]:
        yield "whether they reset themselves"
    ours, theirs = _by_name(one["fields"]), _by_name(other["fields"])
    for key in dict.fromkeys([*ours, *theirs]):
        label = _label(*key)
        if key not in ours or key not in theirs:
            yield f"their {label}: {'only the second' if key in theirs else 'only the first'} has one"
            continue
        left, right = ours[key], theirs[key]
        for what in ("kind", "dtype", "shape", "per_player"):
            if left[what] != right[what]:
                yield f"their {label}: {_space(left)} and {_space(right)}, {what} is not the same"
        if left["role"] == "action" and not _same_bounds(left, right):
            yield f"their {label}: {_space(left)} and {_space(right)}"
    if list(ours) != list(theirs):
        yield "the order of their fields"


def _by_name(fields: Sequence[Field]) -> dict[tuple[str, str], Field]:
    return {(field["role"], field["name"]): field for field in fields}


def _label(role: str, name: str) -> str:
    word = _NAMES.get(role, role)
    return f"{word} {name!r}" if name else word


def _space(field: Field) -> str:
    from parallel_pool.schema.spaces import leaf_of

    return str(leaf_of(field))


def _same_bounds(one: Field, other: Field) -> bool:
    return all(map(np.array_equal, bounds(one), bounds(other)))


def _union(one: Field, other: Field) -> Field:
    """`one` with bounds that hold the values of both fields, which are equal otherwise."""
    if one["role"] == "action" or _same_bounds(one, other):
        return one
    (low, high), (other_low, other_high) = bounds(one), bounds(other)
    return {**one, "low": np.minimum(low, other_low), "high": np.maximum(high, other_high)}


def _remedy(variants: EnvVariants, one: Variant, other: Variant) -> str:
    """A hint: options that would let both into one pool, which are tried and not guessed."""

    def agree(left: dict[str, Any], right: dict[str, Any]) -> bool:
        try:
            described = [
                variants.plugin.describe(variant.env.native_id, {**variant.options, **change})
                for variant, change in ((one, left), (other, right))
            ]
        except ValueError:
            return False
        return not any(_differences(*described))

    for each in variants.declarations:
        name, ours = each["name"], one.effective(each)
        if each["kind"] == "bool" and ours == other.effective(each):
            change = {name: not ours}
            if agree(change, change):
                return f"With {name}={not ours} for all of them they agree"
    for each in variants.declarations:
        name, ours, theirs = each["name"], one.effective(each), other.effective(each)
        if (name in one.row or name in other.row) and agree({}, {name: ours}):
            return f"That is because {name!r} is {ours!r} and {theirs!r}: give all of them the same"
    return "Make a pool for each, on one parallel_pool.ThreadPool"
