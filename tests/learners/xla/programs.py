"""What programs of tests begin with."""

from typing import Any

import jax


def compiled(pool: Any, backend: str = "ffi", **narrow: bool) -> tuple[Any, Any]:
    """The handle of a pool, and its step as a program."""
    handle, _, _, step = pool.xla(backend, **narrow)
    return handle, jax.jit(step)
