"""Environments with several players: what results say of them, and actions that say whose they are.

Words and rules are those of host/step/players.hpp; docs/multi-player.md tells users.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from parallel_pool.fields import Field, tree_of

if TYPE_CHECKING:
    from parallel_pool import _core
    from parallel_pool.recipe import Recipe

_FLAGS = ("present", "acting", "terminated", "truncated", "ended")


def is_multi_player(fields: Sequence[Field]) -> bool:
    """Whether the environment has anything for each player."""
    return any(field["per_player"] for field in fields)


def reward_is_per_player(fields: Sequence[Field]) -> bool:
    """Whether each player has a reward of its own."""
    return any(field["per_player"] for field in fields if field["role"] == "reward")


def player_plan(
    recipe: Recipe, *, names: Sequence[str] = (), statistics: bool = False, final: bool = False
) -> dict[str, Any]:
    """The result plan of `players`: one row per player in flat results, one per place in padded ones.

    names: of the identifying columns, `env_id` and `id`. statistics: `episode_return` as well. final,
    in SAME_STEP pools: which players were in the last row of an episode that ended, and their last
    infos as `final_info`.
    """
    plan: dict[str, Any] = {name: f"player:{name}" for name in (*names, *_FLAGS)}
    if statistics:
        plan["episode_return"] = "player:episode_return"
    plan |= own_info(recipe, "field")
    if final and recipe.config["autoreset_mode"] == "SameStep":
        plan["final"] = "player:final"
        if last := own_info(recipe, "final"):
            plan["final_info"] = last
    return plan


def own_info(recipe: Recipe, source: str) -> dict[str, Any]:
    """The result plan of the environment's info per player."""
    plan: dict[str, Any] = tree_of(
        recipe.fields, "info", lambda number, _: f"{source}:{number}", per_player=True
    )
    return plan


class PlayerPool:
    """A native pool whose actions may be EnvPool's dicts.

    Keys `players.env_id` and `players.id` say whose the rows are, `env_id` which environments are
    stepped. The rest is the action: `action` where the action space is no Dict, else its members.
    "players.action" is the same as "action", and keys nested under "players" the same as with a dot.
    """

    def __init__(self, pool: _core.Pool, fields: Sequence[Field]) -> None:
        self._native = pool
        self._members = [field["name"] for field in fields if field["role"] == "action"]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native, name)

    def step(self, action: Any, env_id: Any = None) -> Any:
        if not isinstance(action, Mapping):
            return self._native.step(action, env_id)
        return self._native.step_players(*self._take_apart(action, env_id))

    def send(self, action: Any, env_id: Any = None) -> None:
        if not isinstance(action, Mapping):
            self._native.send(action, env_id)
        else:
            self._native.send_players(*self._take_apart(action, env_id))

    def _take_apart(self, action: Mapping[str, Any], env_id: Any) -> tuple[Any, Any, Any, Any]:
        """(action, env_id, players.env_id, players.id)."""
        flat: dict[str, Any] = {}
        for key, value in action.items():
            if key == "players" and isinstance(value, Mapping):
                flat |= {f"players.{name}": each for name, each in value.items()}
            else:
                flat[key] = value
        named = flat.pop("env_id", None)
        if named is not None:
            if env_id is not None:
                raise ValueError("env_id is an argument and a key of the action: give one of them")
            env_id = named
        whose = flat.pop("players.env_id", None), flat.pop("players.id", None)
        members: dict[str, Any] = {}
        for key, value in flat.items():
            *parents, last = key.removeprefix("players.").split(".")
            node = members
            for parent in parents:
                node = node.setdefault(parent, {})
            node[last] = value
        if self._members != [""]:
            return members, env_id, *whose
        if list(members) != ["action"]:
            raise ValueError(
                f"the action is a dict with the keys {sorted(map(str, action))}, expected 'action' (or "
                "'players.action') and perhaps 'env_id', 'players.env_id', 'players.id'"
            )
        return members["action"], env_id, *whose
