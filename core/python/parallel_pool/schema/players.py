"""Environments with several players. docs/multi-player.md tells users."""

from __future__ import annotations

from collections.abc import Sequence

from parallel_pool.schema.fields import Field


def is_multi_player(fields: Sequence[Field]) -> bool:
    """Whether the environment has anything for each player."""
    return any(field["per_player"] for field in fields)


def reward_is_per_player(fields: Sequence[Field]) -> bool:
    """Whether each player has a reward of its own."""
    return any(field["per_player"] for field in fields if field["role"] == "reward")
