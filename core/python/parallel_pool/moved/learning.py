raise ImportError(f"{__name__} is parallel_pool_learning: pip install parallel-pool-learning")
