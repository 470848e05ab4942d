"""A vector environment that is watched: how long its steps take, and the returns of its episodes."""

from __future__ import annotations

from typing import Any

from gymnasium.vector import VectorEnv, VectorWrapper
from parallel_pool_learning import TimeShares


class Watched(VectorWrapper):
    """Changes nothing. Returns are those that the environment counts, whatever is learnt from.

    Args:
        envs: a pool with `episode_statistics=True`; of other ones there are no returns.
        shares: steps are the part "steps" of it.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any], shares: TimeShares) -> None:
        super().__init__(envs)
        self._shares = shares
        self._returns: list[float] = []

    def step(self, actions: Any) -> Any:
        with self._shares.part("steps"):
            answer = self.env.step(actions)
        info = answer[-1]
        if "episode" in info:
            self._returns += info["episode"]["r"][info["_episode"]].tolist()
        return answer

    def take_returns(self) -> list[float]:
        """The returns of episodes that ended since the last call."""
        returns, self._returns = self._returns, []
        return returns
