"""The commands for authors of plugins. Each is a module as `parallel_pool.cli` describes it."""
