"""Adapters for libraries that train: one module each, which needs that library and no other.

    from parallel_pool.integrations.sb3 import make_vec_env

Importing this package imports none of them. docs/libraries.md says which library needs what, also of those
that take a pool as it is.
"""
