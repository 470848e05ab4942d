"""Timing of pools and baselines side by side, for `parallel-pool bench` and for benchmarks/.

Importing a module of this package imports no baseline; `baselines` looks for them when asked.
"""
