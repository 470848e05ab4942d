"""Between a pool and a learner: what a rollout needs beside the environments. See docs/rollouts.md."""

from parallel_pool.learning.advantages import generalized_advantages
from parallel_pool.learning.batch_log import BatchLog, ReplayedPool
from parallel_pool.learning.rollout_buffer import Rollout, RolloutBuffer

__all__ = ["BatchLog", "ReplayedPool", "Rollout", "RolloutBuffer", "generalized_advantages"]
