"""EnvPool's interface, by the name that scripts import: it is in the wheel parallel-pool-envpool."""

from parallel_pool.imports.libraries import of_wheel

with of_wheel(__name__, "parallel_pool_envpool", "envpool"):
    from parallel_pool_envpool import *  # noqa: F403
    from parallel_pool_envpool import __all__ as __all__
