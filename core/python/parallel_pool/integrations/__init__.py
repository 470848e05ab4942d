"""Adapters for training libraries. Each module needs its own library and no other.

    from parallel_pool.integrations.sb3 import make_vec_env

Importing this package imports no library. docs/libraries.md has a table of all libraries, including those
that use a pool without an adapter.
"""
