"""Where `distributed` is now: a wheel of its own."""

raise ImportError(
    "parallel_pool.distributed is parallel_pool_ray now: pip install parallel-pool-ray",
    name=__name__,
)
