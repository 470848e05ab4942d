"""JAX, if it is there and new enough."""

from __future__ import annotations

import importlib
from typing import Any

from parallel_pool.pool_api import imported

OLDEST = "0.5.0"
"""The first JAX with all used functions in `jax.ffi`."""

jax: Any = imported("jax", OLDEST, "xla()")
for part in ("custom_batching", "experimental", "ffi"):
    importlib.import_module(f"jax.{part}")


def refuse_manual_axes() -> None:
    """Raises NotImplementedError within pmap and shard_map, where several devices would step one pool."""
    mesh = getattr(jax.sharding, "get_abstract_mesh", lambda: None)()
    if getattr(mesh, "manual_axes", ()):
        raise NotImplementedError(
            "pmap and shard_map of a pool's calls: every device would step the same environments. Make a "
            "pool for each device, and call it outside"
        )
