"""Atari 2600 games for ParallelPool. Nothing to import here: see parallel_pool.make."""
