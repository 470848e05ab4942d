"""The players of a pool as environments of their own, so that one policy is trained by all of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import (
    Field,
    GymnasiumPool,
    map_tree,
    reward_is_per_player,
    tree_of,
)

from parallel_pool_learning.pools import expect_numpy

Rows = Callable[[Any], Any]
"""From a batch of environments to one of their players."""


class PlayerRows(VectorEnv[Any, Any, Any]):
    """`PlayerRows(pool)`: a vector environment with a row for each player of each environment of the pool.

    Row e * players + k is player k of environment e, with the spaces of one player; what players share is in
    the row of each. A row is done where its player ends or leaves, with `final_obs`, `final_obs_dense` and
    `episode` (return, length and seconds) in the info, as in Gymnasium. Where an episode ends, all rows of the
    environment are done.

    A player that ended before the others has a row of zeros until the next episode, and `info["present"]` is
    False there. Where `info["acting"]` is False, the next step ignores the row's action: a learner should leave
    these steps out.

    A player that ended and plays on is done and goes on in its row: `final_obs` is then the first observation
    of its next part, because nobody has the last of the one that ended.

    The pool must have env_type "gymnasium", SameStep, and a reward for each player. Raises TypeError or
    OptionError if it has not.
    """

    def __init__(self, pool: GymnasiumPool) -> None:
        if not isinstance(pool, GymnasiumPool):
            raise TypeError(
                f"the pool is a {type(pool).__name__}, expected one of env_type='gymnasium'"
            )
        config = pool.definition
        if not reward_is_per_player(config.fields):
            raise OptionError(f"{config.task_id!r} has one player: use the pool as it is")
        if pool.is_async or config.arguments.autoreset_mode != "SameStep":
            raise OptionError(
                "the rows of players are those of all environments, and a row that is done has the next "
                "observation: make the pool with autoreset_mode='SameStep' and without batch_size"
            )
        expect_numpy(config, "a pool of rows")
        self.pool = pool
        self.players = config.max_players
        self.num_envs = pool.num_envs * self.players
        self.render_mode = pool.render_mode
        self.spec = pool.spec
        self.metadata = {**pool.metadata, "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = pool.spec.observation_space
        self.single_action_space = pool.spec.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._obs_rows = _rows_of(config.fields, "obs", self._as_rows)
        self._action_rows = _rows_of(config.fields, "action", self._as_envs)
        self._returns = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._begun = np.zeros(self.num_envs)
        self._acting = np.zeros(self.num_envs, np.bool_)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Resets all environments. seed, options: as of the pool, for its environments."""
        obs, info = self.pool.reset(seed=seed, options=options)
        self._begin(slice(None))
        return self._obs_rows(obs), self._told(info["players"])

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Returns (obs, reward, terminated, truncated, info), one row for each player."""
        obs, reward, terminated, truncated, info = self.pool.step(self._action_rows(actions))
        over = np.repeat(terminated | truncated, self.players)
        players = {name: info["players"][name].reshape(-1) for name in _FLAGS}
        played = self._acting
        reward = reward.reshape(-1)
        self._returns += reward
        self._lengths += played
        # Rows of the absent have led nowhere since their player ended.
        ended = players["terminated"] | (over & ~played)
        left = played & ~players["present"] & ~over
        cut = (players["truncated"] | over | left) & ~ended
        done = ended | cut
        rows = self._obs_rows(obs)
        told = self._told(players)
        if done.any():
            told |= self._ends(done, over, played, rows, info)
            self._begin(done)
        return rows, reward, ended, cut, told

    def _told(self, players: dict[str, Any]) -> dict[str, Any]:
        """The infos of every answer. The next step plays for the rows that act now."""
        self._acting = players["acting"].reshape(-1).copy()
        return {"present": players["present"].reshape(-1).copy(), "acting": self._acting.copy()}

    def _ends(
        self,
        done: npt.NDArray[np.bool_],
        over: npt.NDArray[np.bool_],
        played: npt.NDArray[np.bool_],
        rows: Any,
        info: dict[str, Any],
    ) -> dict[str, Any]:
        """The infos of rows that are done. Where the episode goes on, the last observation is in the row."""
        last = self._obs_rows(info["final_obs_dense"])
        dense = map_tree(
            lambda ended, now: np.where(over.reshape(-1, *[1] * (now.ndim - 1)), ended, now),
            last,
            rows,
        )
        final = np.full(len(done), None, object)
        for row in np.flatnonzero(done).tolist():
            final[row] = map_tree(lambda each, row=row: each[row], dense)
        counted = done & played
        numbers = {
            "r": np.where(counted, self._returns, 0.0),
            "l": np.where(counted, self._lengths, 0),
            "t": np.where(counted, time.perf_counter() - self._begun, 0.0),
        }
        return {
            "final_obs": final,
            "_final_obs": done,
            "final_obs_dense": dense,
            "_final_obs_dense": done,
            "episode": numbers,
            "_episode": counted,
        }

    def _begin(self, rows: Any) -> None:
        self._returns[rows], self._lengths[rows] = 0.0, 0
        self._begun[rows] = time.perf_counter()

    def _as_rows(self, field: Field, batch: Any) -> Any:
        if not field["per_player"]:
            return np.repeat(batch, self.players, axis=0)
        return batch.reshape(self.num_envs, *batch.shape[2:])

    def _as_envs(self, field: Field, batch: Any) -> Any:
        rows = np.asarray(batch)
        apart = rows.reshape(self.pool.num_envs, self.players, *rows.shape[1:])
        return apart if field["per_player"] else apart[:, 0]

    def render(self) -> tuple[Any, ...]:
        """A picture of each environment, which its players share."""
        return self.pool.render()

    def close_extras(self, **_: Any) -> None:
        """Closes the pool."""
        self.pool.close()


_FLAGS = ("present", "acting", "terminated", "truncated")


def _rows_of(fields: Any, role: str, convert: Callable[[Field, Any], Any]) -> Rows:
    def of_dict(members: dict[str, Rows]) -> Rows:
        return lambda batch: {name: rows(batch[name]) for name, rows in members.items()}

    def of_tuple(members: list[Rows]) -> Rows:
        return lambda batch: tuple(rows(each) for rows, each in zip(members, batch, strict=True))

    def leaf(_: int, field: Field) -> Rows:
        return lambda batch: convert(field, batch)

    rows: Rows = tree_of(fields, role, leaf, of_dict, of_tuple)
    return rows
