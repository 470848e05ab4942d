"""Random actions, drawn before anything is timed."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

VALUES_IN_ALL = 2**20
"""About this many rows are drawn: enough to be random, few enough to be drawn at once."""


def draw_actions(
    single: gymnasium.Space[Any], rows: int, *, seed: int = 0, integers: Any = None
) -> list[Any]:
    """16 to 256 batches of `rows` valid actions each, to be used in turn.

    integers: the dtype of arrays of integers, for pools that do not take the space's own.
    """
    space = batch_space(single, rows)
    space.seed(seed)
    batches = [space.sample() for _ in range(max(16, min(256, VALUES_IN_ALL // rows)))]
    if integers is None:
        return batches
    return [_with_integers(batch, integers) for batch in batches]


def _with_integers(batch: Any, dtype: Any) -> Any:
    if isinstance(batch, np.ndarray) and batch.dtype.kind in "iu":
        return batch.astype(dtype)
    return batch
