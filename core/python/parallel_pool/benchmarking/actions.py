"""Random actions, drawn before anything is timed."""

from __future__ import annotations

from typing import Any

import gymnasium
from gymnasium.vector.utils import batch_space

VALUES_IN_ALL = 2**20
"""About this many rows are drawn: enough to be random, few enough to be drawn at once."""


def draw_actions(single: gymnasium.Space[Any], rows: int) -> list[Any]:
    """16 to 256 batches of `rows` valid actions each, to be used in turn."""
    space = batch_space(single, rows)
    space.seed(0)
    return [space.sample() for _ in range(max(16, min(256, VALUES_IN_ALL // rows)))]
