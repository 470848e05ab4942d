"""The interface of EnvPool up to 0.8, with gym before 0.26."""

from parallel_pool.imports.libraries import imported

imported("parallel_pool_envpool", "0", __name__, extra="envpool")
from parallel_pool_envpool.legacy import *  # noqa: E402, F403
from parallel_pool_envpool.legacy import __all__ as __all__  # noqa: E402
