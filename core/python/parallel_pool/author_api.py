"""What tools for authors of plugins may use besides `pool_api`: the plugins that are found, and their hooks.

The wheel parallel-pool-author builds on it. Light: no numpy, no library.
"""

from parallel_pool.registry import hooks, registry
from parallel_pool.registry.first_party import FAMILIES, install_command, owner

__all__ = ["FAMILIES", "hooks", "install_command", "owner", "registry"]
