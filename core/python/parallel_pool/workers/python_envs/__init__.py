"""Environments written in Python, in the pool's worker processes. docs/python-environments.md."""
