"""EnvPool up to 0.8 with gym before 0.26: `reset` returns the observation alone, `step` four values.

    import parallel_pool.envpool.legacy as envpool

CleanRL's scripts are written for this.
"""

from parallel_pool import __version__

from parallel_pool_envpool.dm_pool import DMEnvPool
from parallel_pool_envpool.gymnasium_pool import GymnasiumEnvPool
from parallel_pool_envpool.legacy.making import make, make_gym, make_spec, register
from parallel_pool_envpool.legacy.pool import GymEnvPool
from parallel_pool_envpool.making import list_all_envs, make_dm, make_gymnasium
from parallel_pool_envpool.pool import EnvPool
from parallel_pool_envpool.spec import EnvSpec

__all__ = [
    "DMEnvPool",
    "EnvPool",
    "EnvSpec",
    "GymEnvPool",
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
