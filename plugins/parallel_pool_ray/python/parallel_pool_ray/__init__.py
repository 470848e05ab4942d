"""Pools on several machines, with Ray (`parallel-pool[ray]`). See docs/scaling.md.

from parallel_pool_ray import RayPool, RolloutPool
"""

from parallel_pool_ray.errors import ClusterError, LostEnvsError, LostPoolError
from parallel_pool_ray.ray_pool import RayPool
from parallel_pool_ray.rollout_actor import Fragment
from parallel_pool_ray.rollout_pool import RolloutPool

__all__ = [
    "ClusterError",
    "Fragment",
    "LostEnvsError",
    "LostPoolError",
    "RayPool",
    "RolloutPool",
]
