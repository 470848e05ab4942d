raise ModuleNotFoundError(
    f"{__name__} is parallel_pool_learning, and RLlib's adapter is parallel_pool_ray.rllib: "
    "pip install parallel-pool-learning, or 'parallel-pool-ray[rllib]'"
)
