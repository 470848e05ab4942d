"""Pools on many machines, by Ray (`parallel-pool[ray]`). See docs/scaling.md.

from parallel_pool.distributed import RayPool, RolloutPool
"""

from parallel_pool.distributed.errors import ClusterError, LostEnvsError, LostPoolError
from parallel_pool.distributed.ray_pool import RayPool

__all__ = ["ClusterError", "LostEnvsError", "LostPoolError", "RayPool"]
