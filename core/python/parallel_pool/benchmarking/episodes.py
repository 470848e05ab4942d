"""Episodes of a stream of results, or whole games: how many ended and with which mean return."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Result = tuple[Any, Any, Any, Any, dict[str, Any]]
"""Observation, reward, terminated, truncated, info: one row per environment."""


class EpisodeMeter:
    """Call it with every result. A few numpy operations, however many environments there are.

    games: the pool counts whole games, with episode_statistics.
    """

    def __init__(self, num_envs: int, *, games: bool = False) -> None:
        self._games = games
        self._num_envs = num_envs
        self._running: npt.NDArray[np.float64] | None = None
        self._all = slice(None)
        self.finished = 0
        self._sum: Any = 0.0

    def __call__(self, result: Result) -> None:
        """Counts the rewards and the ends of episodes of one result."""
        _, reward, terminated, truncated, info = result
        if self._games:
            if "episode" in info:
                returns = info["episode"]["r"][info["_episode"]]
                self.finished += len(returns)
                self._sum += returns.sum()
            return
        if self._running is None:
            self._running = np.zeros((self._num_envs, *reward.shape[1:]))
        ids: Any = info.get("env_id", self._all)
        self._running[ids] += reward
        done = terminated | truncated
        if done.any():
            ended = np.flatnonzero(done) if isinstance(ids, slice) else ids[done]
            self.finished += len(ended)
            self._sum += self._running[ended].sum(axis=0)
            self._running[ended] = 0.0

    @property
    def mean_return(self) -> float | None:
        """Of the finished episodes; the sum of rewards, or of a game's points. None: none finished.

        Of several players, all their rewards together.
        """
        return float(np.sum(self._sum)) / self.finished if self.finished else None

    @property
    def mean_return_of_players(self) -> list[float] | None:
        """The mean return of each player. None: there is one player, or no episode finished."""
        if not self.finished or np.ndim(self._sum) == 0:
            return None
        means: list[float] = (self._sum / self.finished).tolist()
        return means
