"""dm_env specs from field lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from dm_env import specs

from parallel_pool.schema.fields import Field, bounds, tree_of


def specs_of(fields: Sequence[Field], role: str, per_player: bool | None = None) -> Any:
    """The specs of one environment's fields of a role, nested as the fields are.

    Fields per player are those of one player. per_player: only those that are so (True) or not (False).
    """
    return tree_of(
        fields, role, lambda _, field: spec_of(field, field["name"] or role), per_player=per_player
    )


def spec_of(field: Field, name: str) -> specs.Array:
    """The spec of one field of one environment."""
    if field["kind"] == "text":
        return specs.StringArray((), name=name)
    if field["kind"] == "object":
        return specs.Array((), np.object_, name=name)
    low, high = bounds(field)
    if field["kind"] == "discrete" and int(low) == 0:
        return specs.DiscreteArray(int(high) + 1, dtype=field["dtype"].type, name=name)
    if field["dtype"].kind == "f" and not np.isfinite(low).any() and not np.isfinite(high).any():
        return specs.Array(field["shape"], field["dtype"], name=name)
    return specs.BoundedArray(field["shape"], field["dtype"], low, high, name=name)
