"""Where the adapters for training libraries are now: in wheels of their own."""

raise ImportError(
    "parallel_pool.integrations.NAME is parallel_pool_learning.NAME now (pip install parallel-pool-learning), "
    "and RLlib's adapter is parallel_pool_ray.rllib (pip install parallel-pool-ray)",
    name=__name__,
)
