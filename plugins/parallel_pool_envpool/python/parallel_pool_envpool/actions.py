"""Actions in EnvPool's form: arrays, or dicts that also name the environments to step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from parallel_pool.pool_api import Field, NativePool, split_action


class DictActions:
    """Converts EnvPool's actions for a native pool with one player: dicts, and more rows than environments.

    Of more rows the first are taken. Keys of dicts: `env_id`, `players.env_id` (the same numbers), and the
    action, "action" or its members; nested or with dots.
    """

    def __init__(self, pool: NativePool, fields: Sequence[Field]) -> None:
        self._pool = pool
        own = [field for field in fields if field["role"] == "action"]
        self._members = [field["name"] for field in own]
        self._dimensions = {1 + len(field["shape"]) for field in own}

    def step(self, action: Any, env_id: Any = None) -> Any:
        """Steps like the pool's `step`."""
        if isinstance(action, Mapping):
            action, env_id = self._split(action, env_id)
        return self._pool.step(self._rows(action, env_id), env_id)

    def send(self, action: Any, env_id: Any = None) -> None:
        """Sends like the pool's `send`."""
        if isinstance(action, Mapping):
            action, env_id = self._split(action, env_id)
        self._pool.send(self._rows(action, env_id), env_id)

    def _rows(self, action: Any, env_id: Any) -> Any:
        """The rows of an action that belong to environments."""
        if env_id is None or np.ndim(env_id) != 1:
            return action
        if isinstance(action, Mapping):
            return {key: self._rows(each, env_id) for key, each in action.items()}
        shape: Any = getattr(action, "shape", ())
        count = len(env_id)
        return action[:count] if len(shape) in self._dimensions and shape[0] > count else action

    def _split(self, action: Mapping[str, Any], env_id: Any) -> tuple[Any, Any]:
        """(the action itself, env_id)."""
        if env_id is not None:  # EnvPool lets the argument overrule the key, too
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
