"""The environments of MiniGrid and BabyAI: `parallel_pool.make("MiniGrid-DoorKey-8x8-v0")`."""
