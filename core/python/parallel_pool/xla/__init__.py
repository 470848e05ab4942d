"""Pools in compiled JAX programs: what `xla()` of a pool gives. Imports JAX when asked for."""
