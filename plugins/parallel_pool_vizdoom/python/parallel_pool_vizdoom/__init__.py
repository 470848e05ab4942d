"""ViZDoom for ParallelPool. Nothing to import here: see parallel_pool.make."""
