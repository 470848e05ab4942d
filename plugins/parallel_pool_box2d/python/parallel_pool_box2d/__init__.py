"""The environments of Box2D: `parallel_pool.make("LunarLander-v3")`."""
