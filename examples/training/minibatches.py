"""Minibatches that are about equally large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from parallel_pool_learning import Rollout


def even_minibatches(
    rollout: Rollout, size: int, rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """`rollout.minibatches` of about `size` rows. None has but a few, whose spread would say nothing."""
    rows = int(rollout.valid.sum())
    return rollout.minibatches(-(-rows // max(1, round(rows / size))), rng)
