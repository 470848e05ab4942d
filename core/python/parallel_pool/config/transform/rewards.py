"""What is done to rewards, in one pass, and what a pool keeps for it from batch to batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from parallel_pool.config.transform.kinds import TransformArguments
from parallel_pool.schema.result_tree import LearningReward, Node
from parallel_pool.schema.running_statistics import RunningStatistics


@dataclass(frozen=True)
class RewardState:
    """The rewards of one pool. Result trees change it."""

    arguments: TransformArguments
    statistics: RunningStatistics | None
    """Of the discounted sums; None without normalize_reward."""
    sums: npt.NDArray[np.float32]
    """The discounted sum of each environment."""

    @classmethod
    def of(cls, arguments: TransformArguments, num_envs: int) -> Self:
        """The state of a new pool."""
        statistics = RunningStatistics() if arguments.normalize_reward else None
        return cls(arguments, statistics, np.zeros(num_envs, np.float32))

    def node(self, source: Node, steps: Node | None = None) -> Node:
        """The reward as the learner gets it, of the dtype of the column `source`.

        steps: how many steps of a chunk were made, where the column has a reward for each.
        """
        given = self.arguments
        return LearningReward(
            source,
            self.statistics,
            self.sums,
            gamma=given.gamma,
            epsilon=given.epsilon,
            scale=given.scale_reward,
            clip=given.clip_reward,
            steps=steps,
        )

    def load(self, statistics: Any, sums: npt.NDArray[np.float32]) -> None:
        """Continues from the state of another pool."""
        if self.statistics is not None:
            self.statistics.assign(statistics)
        np.copyto(self.sums, sums)
