"""Returns and lengths of the episodes that end in a rollout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool_learning.arrays import as_numpy
from parallel_pool_learning.rollout_rows import put_rows

Flags = npt.NDArray[np.bool_]
Columns = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]
"""Environments, returns and lengths of episodes that ended."""


def ended_games(info: dict[str, Any]) -> Columns | None:
    """Returns the episodes whose statistics the pool has in the info of a step."""
    if "episode" not in info:
        return None
    envs = np.flatnonzero(as_numpy(info["_episode"]))
    episode = info["episode"]
    return envs, as_numpy(episode["r"])[envs], as_numpy(episode["l"])[envs]


def joined(columns: Iterable[Columns]) -> dict[str, npt.NDArray[Any]]:
    """All of them as arrays `env_id`, `return` and `length`."""
    none = np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64)
    env_id, returns, lengths = map(np.concatenate, zip(none, *columns, strict=True))
    return {"env_id": env_id, "return": returns, "length": lengths}


class EpisodeCounter:
    """Sums the rewards and steps of each environment's episode, across rollouts.

    of_games: takes the games that the pool has counted instead, from its infos.
    """

    def __init__(self, num_envs: int, *, of_games: bool) -> None:
        self._of_games = of_games
        self._games: dict[int, Columns] = {}  # games that ended in this rollout, by step
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)

    def begin(self) -> None:
        """A rollout begins; the sums of episodes go on."""
        self._games.clear()

    def keep(self, step: int, info: dict[str, Any]) -> None:
        """Takes the games that this info of a step has."""
        if self._of_games and (games := ended_games(info)) is not None:
            self._games[step] = games

    def restart(self) -> None:
        """Sets the sums of all environments to zero."""
        self._returns[:] = 0
        self._lengths[:] = 0

    def state_dict(self) -> dict[str, npt.NDArray[Any]]:
        """A copy of the sums."""
        return {"returns": self._returns.copy(), "lengths": self._lengths.copy()}

    def load_state_dict(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Goes on with these sums. Raises ValueError for another number of environments."""
        put_rows("returns", self._returns, state["returns"])
        put_rows("lengths", self._lengths, state["lengths"])

    def count(
        self, rewards: npt.NDArray[Any], valid: Flags, ended: Flags
    ) -> dict[str, npt.NDArray[Any]]:
        """Counts T steps of N environments; returns the episodes that end in them.

        All arguments have the shape (T, N). Steps that are not valid are not counted. The result has the arrays
        `env_id`, `return` and `length`, with one entry per episode.
        """
        if self._of_games:
            return joined(self._games.values())
        columns: list[Columns] = []
        some_end: Flags = np.any(ended, axis=1)
        for step in range(len(rewards)):
            np.add(self._returns, rewards[step], out=self._returns, where=valid[step])
            self._lengths += valid[step]
            if some_end[step]:
                envs = np.flatnonzero(ended[step])
                columns.append((envs, self._returns[envs], self._lengths[envs]))
                self._returns[envs] = 0
                self._lengths[envs] = 0
        return joined(columns)
