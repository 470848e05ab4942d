"""Actions in EnvPool's form: arrays, or dicts that also name the environments to step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from parallel_pool import _core
from parallel_pool.schema.fields import Field
from parallel_pool.views.player_actions import split_action


class DictActions:
    """Converts EnvPool's dicts of actions for a native pool with one player; other actions are passed on.

    Keys: `env_id`, `players.env_id` (the same numbers), and the action, "action" or its members; nested
    or with dots.
    """

    def __init__(self, pool: _core.Pool, fields: Sequence[Field]) -> None:
        self._pool = pool
        self._members = [field["name"] for field in fields if field["role"] == "action"]

    def step(self, action: Any, env_id: Any = None) -> Any:
        """As the pool's `step`."""
        if isinstance(action, Mapping):
            action, env_id = self._split(action, env_id)
        return self._pool.step(action, env_id)

    def send(self, action: Any, env_id: Any = None) -> None:
        """As the pool's `send`."""
        if isinstance(action, Mapping):
            action, env_id = self._split(action, env_id)
        self._pool.send(action, env_id)

    def _split(self, action: Mapping[str, Any], env_id: Any) -> tuple[Any, Any]:
        """(the action itself, env_id)."""
        if env_id is not None:  # as in EnvPool, the argument overrules the key
            action = {key: each for key, each in action.items() if key != "env_id"}
        own, env_id, players, _ = split_action(action, env_id, self._members)
        if players is not None and env_id is None:
            env_id = players
        if players is not None and not np.array_equal(
            np.atleast_1d(players), np.atleast_1d(env_id)
        ):
            raise ValueError(
                f"players.env_id is {players!r} and env_id {env_id!r}: with one player each they are the same"
            )
        return own, env_id
