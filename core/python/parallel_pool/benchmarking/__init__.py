"""Timing of pools and their rivals side by side, for `parallel-pool bench` and for benchmarks/.

Importing a module of this package imports no rival; `contestants` looks for them when asked.
"""
