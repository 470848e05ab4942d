"""Rollouts for learners, and the replay of asynchronous runs. See docs/rollouts.md."""

from parallel_pool.learning.advantages import generalized_advantages
from parallel_pool.learning.batch_log import BatchLog, ReplayedPool
from parallel_pool.learning.rollout import Rollout
from parallel_pool.learning.rollout_buffer import RolloutBuffer

__all__ = ["BatchLog", "ReplayedPool", "Rollout", "RolloutBuffer", "generalized_advantages"]
