"""Serves a value when numpy calls it: ufuncs and other functions are recorded here."""

from parallel_pool_tasks.trace.functions import call, converted, looked_up, product
from parallel_pool_tasks.trace.ufuncs import apply, power, reduced

__all__ = ["apply", "call", "converted", "looked_up", "power", "product", "reduced"]
