"""What tools for authors of plugins may use besides `pool_api`: the plugins that are found, and their hooks.

The wheel parallel-pool-author builds on it. Light: no numpy, no library.
"""

from parallel_pool.registry import hooks as hooks
from parallel_pool.registry import registry as registry
from parallel_pool.registry.first_party import FAMILIES as FAMILIES
from parallel_pool.registry.first_party import install_command as install_command
from parallel_pool.registry.first_party import owner as owner
