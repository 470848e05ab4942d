"""Environments in worker processes: how a pool starts them, and what they run. docs/isolation.md."""
