"""Gymnasium spaces from field lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from parallel_pool.schema.fields import Field, bounds, tree_of


def space_of(
    fields: Sequence[Field], role: str, players: int | None = None
) -> gymnasium.Space[Any]:
    """The space of one environment's fields of a role: "obs" or "action".

    Fields per player are those of one player, or with `players` of that many together.
    """
    space: gymnasium.Space[Any] = tree_of(
        fields,
        role,
        lambda _, field: leaf_of(field, players if field["per_player"] else None),
        # By name, as Gymnasium sorts them, so that nothing depends on the order of declaration.
        make_dict=lambda members: spaces.Dict(dict(sorted(members.items()))),
        make_tuple=spaces.Tuple,
    )
    return space


def leaf_of(field: Field, players: int | None = None) -> gymnasium.Space[Any]:
    """The space of one field; with `players` of that many players together."""
    if field["kind"] == "text":
        from parallel_pool.schema.text_spaces import text_space

        return text_space(field)
    if field["kind"] == "object":
        space: gymnasium.Space[Any] = field["space"]
        return space
    low, high = bounds(field)
    shape = field["shape"]
    if players is not None:
        shape = (players, *shape)
        low, high = np.broadcast_to(low, shape).copy(), np.broadcast_to(high, shape).copy()
        if field["kind"] == "discrete":
            field = {**field, "kind": "multi_discrete"}
    if field["kind"] == "discrete":
        return spaces.Discrete(int(high) - int(low) + 1, start=int(low))
    if field["kind"] == "multi_discrete":
        return spaces.MultiDiscrete(
            high.astype(np.int64) - low.astype(np.int64) + 1, dtype=field["dtype"].type, start=low
        )
    if field["kind"] == "multi_binary":
        return spaces.MultiBinary(list(shape))
    return spaces.Box(low, high, shape, field["dtype"].type)
