"""What `parallel-pool bench` measures a pool with."""
