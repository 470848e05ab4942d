"""EnvPool 1.2's interface for our pools, for scripts and tests that were written for EnvPool.

    import parallel_pool.envpool as envpool

What is equal and what differs: docs/migrating-from-envpool.md. Scripts for EnvPool up to 0.8 with gym before
0.26 (`reset` returns the observation alone, `step` four values) import `parallel_pool.envpool.legacy`.
"""

from parallel_pool import __version__

from parallel_pool_envpool.array_spec import ArraySpec
from parallel_pool_envpool.dm_pool import DMEnvPool
from parallel_pool_envpool.gymnasium_pool import GymnasiumEnvPool
from parallel_pool_envpool.making import (
    list_all_envs,
    make,
    make_dm,
    make_gym,
    make_gymnasium,
    make_spec,
)
from parallel_pool_envpool.pool import EnvPool
from parallel_pool_envpool.registered import register
from parallel_pool_envpool.spec import EnvSpec

__all__ = [
    "ArraySpec",
    "DMEnvPool",
    "EnvPool",
    "EnvSpec",
    "GymnasiumEnvPool",
    "__version__",
    "list_all_envs",
    "make",
    "make_dm",
    "make_gym",
    "make_gymnasium",
    "make_spec",
    "register",
]
