"""Actions of several players in EnvPool's form, which names the player of each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parallel_pool import _core
from parallel_pool.schema.fields import Field
from parallel_pool.schema.trees import put


class PlayerActions:
    """Converts EnvPool's dicts of actions for the native pool; other actions are passed on.

    `players.env_id` and `players.id` name the player of each row, and `env_id` the environments to step. The
    remaining keys are the action: `action`, or the members of a Dict action space. "players.action" is the
    same as "action", and keys nested under "players" are the same as keys with a dot.
    """

    def __init__(self, pool: _core.Pool, fields: Sequence[Field]) -> None:
        self._pool = pool
        self._members = [field["name"] for field in fields if field["role"] == "action"]

    def step(self, action: Any, env_id: Any = None) -> Any:
        """As the pool's `step`."""
        if not isinstance(action, Mapping):
            return self._pool.step(action, env_id)
        return self._pool.step_players(*split_action(action, env_id, self._members))

    def send(self, action: Any, env_id: Any = None) -> None:
        """As the pool's `send`."""
        if not isinstance(action, Mapping):
            self._pool.send(action, env_id)
        else:
            self._pool.send_players(*split_action(action, env_id, self._members))


def split_action(
    action: Mapping[str, Any], env_id: Any, names: Sequence[str]
) -> tuple[Any, Any, Any, Any]:
    """(action, env_id, players.env_id, players.id). names: the members of a Dict action space."""
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
    players = flat.pop("players.env_id", None), flat.pop("players.id", None)
    members: dict[str, Any] = {}
    for key, value in flat.items():
        put(members, key.removeprefix("players.").split("."), value)
    if list(names) != [""]:
        return members, env_id, *players
    if list(members) != ["action"]:
        raise ValueError(
            f"the action is a dict with the keys {sorted(map(str, action))}, expected 'action' (or "
            "'players.action') and perhaps 'env_id', 'players.env_id', 'players.id'"
        )
    return members["action"], env_id, *players
