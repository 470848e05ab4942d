"""EnvPool's interface, by the name that scripts import: it is in the wheel parallel-pool-envpool."""

from parallel_pool.imports.libraries import imported

imported("parallel_pool_envpool", "0", __name__, extra="envpool")
from parallel_pool_envpool import *  # noqa: E402, F403
from parallel_pool_envpool import __all__ as __all__  # noqa: E402
