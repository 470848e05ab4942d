"""`xla()` of a pool: its functions for compiled programs of JAX (`parallel-pool[jax]`). See docs/jax.md."""

from parallel_pool_jax.program import Calls, Program

__all__ = ["Calls", "Program"]
