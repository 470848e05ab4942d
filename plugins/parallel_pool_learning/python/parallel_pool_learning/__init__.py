"""Rollouts for learners, the replay of asynchronous runs, and where the time goes. See docs/rollouts.md."""

from parallel_pool_learning.advantages import generalized_advantages
from parallel_pool_learning.batch_log import BatchLog, ReplayedPool
from parallel_pool_learning.player_rows import PlayerRows
from parallel_pool_learning.rollout import Rollout
from parallel_pool_learning.rollout_buffer import RolloutBuffer
from parallel_pool_learning.time_shares import Share, TimeShares

__all__ = [
    "BatchLog",
    "PlayerRows",
    "ReplayedPool",
    "Rollout",
    "RolloutBuffer",
    "Share",
    "TimeShares",
    "generalized_advantages",
]
