raise ImportError(f"{__name__} is parallel_pool_ray: pip install parallel-pool-ray")
