raise ImportError(f"{__name__} is parallel_pool_jax: pip install parallel-pool-jax")
