"""What can be done to rewards, each a stage, and what a pool keeps for it.

A new stage is a class here, its place in `reward_stages`, and its arguments in `kinds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from parallel_pool.config.transform.kinds import TransformArguments
from parallel_pool.schema.result_tree import LearningReward, Node
from parallel_pool.schema.running_statistics import RunningStatistics


@dataclass(frozen=True)
class RewardState:
    """What one pool keeps for its rewards from batch to batch. Result trees change it."""

    statistics: RunningStatistics | None
    """Of the discounted sums; None without normalize_reward."""
    sums: npt.NDArray[np.float32]
    """The discounted sum of each environment."""

    @classmethod
    def of(cls, arguments: TransformArguments, num_envs: int) -> Self:
        """The state of a new pool."""
        statistics = RunningStatistics() if arguments.normalize_reward else None
        return cls(statistics, np.zeros(num_envs, np.float32))

    def begin(self, env_id: Any) -> None:
        """The sums of these environments (None: all) begin anew."""
        self.sums[slice(None) if env_id is None else env_id] = 0

    def load(self, statistics: Any, sums: npt.NDArray[np.float32]) -> None:
        """Continues from the state of another pool."""
        if self.statistics is not None:
            self.statistics.assign(statistics)
        np.copyto(self.sums, sums)


class RewardStage(Protocol):
    """One thing that is done to rewards."""

    def node(self, source: Node, state: RewardState) -> Node:
        """The reward after this stage, of the dtype of the column `source`."""
        ...


@dataclass(frozen=True)
class Rescale:
    """Divides by the running deviation of the discounted sums, multiplies by a factor, clips: in one pass."""

    gamma: float
    epsilon: float
    scale: float
    clip: tuple[float, float] | None

    def node(self, source: Node, state: RewardState) -> Node:
        """See RewardStage."""
        return LearningReward(
            source,
            state.statistics,
            state.sums,
            gamma=self.gamma,
            epsilon=self.epsilon,
            scale=self.scale,
            clip=self.clip,
        )


def reward_stages(arguments: TransformArguments) -> Sequence[RewardStage]:
    """The stages that these arguments ask for, in the order in which they are done."""
    stages: list[RewardStage] = []
    scale, clip = arguments.scale_reward, arguments.clip_reward
    if arguments.normalize_reward or scale != 1.0 or clip is not None:
        stages.append(Rescale(arguments.gamma, arguments.epsilon, scale, clip))
    return stages
