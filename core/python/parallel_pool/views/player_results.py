"""What results say of players. Words and rules are those of docs/multi-player.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.schema.fields import tree_of

_FLAGS = ("present", "acting", "terminated", "truncated", "ended")


def player_plan(
    config: PoolConfig, *, names: Sequence[str] = (), statistics: bool = False, final: bool = False
) -> dict[str, Any]:
    """The result plan of `players`: one row per player in flat results, one per place in padded ones.

    names: of the identifying columns, `env_id` and `id`. statistics: `episode_return` as well. final,
    in SAME_STEP pools: which players were in the last row of an episode that ended, and their last
    infos as `final_info`.
    """
    plan: dict[str, Any] = {name: f"player:{name}" for name in (*names, *_FLAGS)}
    if statistics:
        plan["episode_return"] = "player:episode_return"
    plan |= own_info(config, "field")
    if final and config.values["autoreset_mode"] == "SameStep":
        plan["final"] = "player:final"
        if last := own_info(config, "final"):
            plan["final_info"] = last
    return plan


def own_info(config: PoolConfig, source: str) -> dict[str, Any]:
    """The result plan of the environment's info per player."""
    plan: dict[str, Any] = tree_of(
        config.fields, "info", lambda number, _: f"{source}:{number}", per_player=True
    )
    return plan
