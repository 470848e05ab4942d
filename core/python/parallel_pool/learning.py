"""Where `learning` is now: a wheel of its own."""

raise ImportError(
    "parallel_pool.learning is parallel_pool_learning now: pip install parallel-pool-learning",
    name=__name__,
)
