"""The interface of EnvPool up to 0.8, with gym before 0.26."""

from parallel_pool.imports.libraries import of_wheel

with of_wheel(__name__, "parallel_pool_envpool", "envpool"):
    from parallel_pool_envpool.legacy import *  # noqa: F403
    from parallel_pool_envpool.legacy import __all__ as __all__
