"""Moved: see `parallel_pool.SingleDmEnv`."""

from parallel_pool._moved import moved

__getattr__ = moved(__name__, "parallel_pool.views.single_dm")
