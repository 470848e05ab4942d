"""Episodes of a stream of results, or whole games: how many ended and with which mean return."""

from __future__ import annotations

from typing import Any

import numpy as np

from parallel_pool.benchmarking.drivers import Result


class EpisodeMeter:
    """Call it with every result. A few numpy operations, however many environments there are.

    games: the pool counts whole games, with episode_statistics.
    """

    def __init__(self, num_envs: int, *, games: bool = False) -> None:
        self._games = games
        self._running = np.zeros(num_envs)
        self._all = slice(None)
        self.finished = 0
        self._sum = 0.0

    def __call__(self, result: Result) -> None:
        """Counts the rewards and the ends of episodes of one result."""
        _, reward, terminated, truncated, info = result
        if self._games:
            if "episode" in info:
                returns = info["episode"]["r"][info["_episode"]]
                self.finished += len(returns)
                self._sum += float(returns.sum())
            return
        ids: Any = info.get("env_id", self._all)
        if reward.ndim > 1:  # several players: their sum
            reward = reward.reshape(len(reward), -1).sum(axis=1)
        self._running[ids] += reward
        done = terminated | truncated
        if done.any():
            ended = np.flatnonzero(done) if isinstance(ids, slice) else ids[done]
            self.finished += len(ended)
            self._sum += float(self._running[ended].sum())
            self._running[ended] = 0.0

    @property
    def mean_return(self) -> float | None:
        """Of the finished episodes; the sum of rewards, or of a game's points. None: none finished."""
        return self._sum / self.finished if self.finished else None
