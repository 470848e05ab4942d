"""What a value asks for when numpy calls it: how ufuncs and other functions are recorded."""

from parallel_pool_tasks.trace.functions import call, converted, looked_up, product
from parallel_pool_tasks.trace.ufuncs import apply, power, reduced

__all__ = ["apply", "call", "converted", "looked_up", "power", "product", "reduced"]
