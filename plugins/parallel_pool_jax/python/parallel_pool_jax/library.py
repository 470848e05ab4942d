"""JAX, if it is there, new enough, and where a pool can work for it."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.pool_api import imported, xla_targets

OLDEST = "0.5.0"
"""The first JAX with all used functions in `jax.ffi`."""

jax: Any = imported("jax", OLDEST, "xla()")
for part in ("custom_batching", "experimental", "ffi"):
    importlib.import_module(f"jax.{part}")


def expect_cpu() -> None:
    """Raises OptionError where programs would be compiled for something else."""
    device = jax.config.jax_default_device
    platform = getattr(device, "platform", device) or jax.default_backend()
    if platform != "cpu":
        raise OptionError(
            f"JAX compiles for {platform!r} here, and pools work in programs for the CPU: call "
            "jax.config.update('jax_default_device', jax.devices('cpu')[0]) first, or use "
            'xla(backend="callback")'
        )


@functools.cache
def register_targets() -> None:
    """Tells XLA of the pool's calls, once for the process."""
    for name, target in xla_targets().items():
        jax.ffi.register_ffi_target(name, target, platform="cpu")


def refuse_manual_axes() -> None:
    """Raises NotImplementedError within pmap and shard_map, where several devices would step one pool."""
    mesh = getattr(jax.sharding, "get_abstract_mesh", lambda: None)()
    if getattr(mesh, "manual_axes", ()):
        raise NotImplementedError(
            "pmap and shard_map of a pool's calls: every device would step the same environments. Make a "
            "pool for each device, and call it outside"
        )
