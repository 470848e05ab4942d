"""What programs of tests begin with."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax


def jitted(pool: Any, backend: str = "ffi", **narrow: bool) -> tuple[Any, Any]:
    """The handle of a pool, and its step as a program."""
    handle, _, _, step = pool.xla(backend, **narrow)
    return handle, jax.jit(step)


def elsewhere(work: Callable[[], Any]) -> Any:
    """What `work` gives in a thread that is not Python's main one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
