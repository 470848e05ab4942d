"""Environments with several players through PettingZoo's parallel API: in the wheel parallel-pool-learning."""

from parallel_pool.imports.libraries import imported

imported("parallel_pool_learning", "0", __name__, extra="pettingzoo")
from parallel_pool_learning.pettingzoo import ParallelPlayers, parallel_env  # noqa: E402

__all__ = ["ParallelPlayers", "parallel_env"]
