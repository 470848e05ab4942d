"""What `if`, loops and brackets do with numbers, done with values, in both ways to run."""

from __future__ import annotations

from typing import Any

import numpy as np

from parallel_pool_tasks.trace.functions import looked_up
from parallel_pool_tasks.trace.value import Value


def lookup(table: Any, index: Any) -> Any:
    """`table[index]`: a row of an array of constants or values, by one whole number that may be a value.

    An index out of bounds is an error of the environment.
    """
    if not isinstance(table, Value):
        table = np.asarray(table)
    return looked_up(table, index) if isinstance(index, Value) else table[index]
