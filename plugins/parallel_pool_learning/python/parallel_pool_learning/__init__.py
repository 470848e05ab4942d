"""Rollouts for learners, and the replay of asynchronous runs. See docs/rollouts.md."""

from parallel_pool_learning.advantages import generalized_advantages
from parallel_pool_learning.batch_log import BatchLog, ReplayedPool
from parallel_pool_learning.player_rows import PlayerRows
from parallel_pool_learning.rollout import Rollout
from parallel_pool_learning.rollout_buffer import RolloutBuffer

__all__ = [
    "BatchLog",
    "PlayerRows",
    "ReplayedPool",
    "Rollout",
    "RolloutBuffer",
    "generalized_advantages",
]
