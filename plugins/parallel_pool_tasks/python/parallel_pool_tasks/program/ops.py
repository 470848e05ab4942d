"""The library's table of operations (src/ops.hpp), the only one there is."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping

from parallel_pool.plugin_api import find_library


@functools.cache
def ops() -> Mapping[str, str]:
    """The form of each operation by its name; src/ops.hpp says what the letters mean."""
    library = ctypes.CDLL(str(find_library("parallel_pool_tasks", "tasks")))
    library.parallel_pool_call_ops.restype = ctypes.c_char_p
    lines = library.parallel_pool_call_ops().decode().split("\n")
    return {name: form for name, _, form in (line.partition(" ") for line in lines) if name}
