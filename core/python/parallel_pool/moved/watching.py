raise ImportError(f"{__name__} is parallel_pool_watch: pip install parallel-pool-watch")
