"""Environments with several players through PettingZoo's parallel API: in the wheel parallel-pool-learning."""

from parallel_pool.imports.libraries import of_wheel

with of_wheel(__name__, "parallel_pool_learning", "pettingzoo"):
    from parallel_pool_learning.pettingzoo import ParallelPlayers, parallel_env

__all__ = ["ParallelPlayers", "parallel_env"]
