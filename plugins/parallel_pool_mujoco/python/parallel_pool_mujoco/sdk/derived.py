"""Derives what follows from changed numbers of a model, as MuJoCo's compiler does.

`derived.hpp` does it, here and for models that episodes change in C++.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Collection
from typing import Any

from parallel_pool.plugin_api import find_library

from parallel_pool_mujoco.sdk.binding import MujocoError, binding_address

_LONGEST = 1000


def derive(model: Any, before: Any, changed: Collection[str]) -> None:
    """Brings up to date what follows from the members `changed`. before: the model as it was compiled.

    Raises MujocoError: MuJoCo cannot simulate such a model.
    """
    names = " ".join(sorted(changed)).encode()
    message = ctypes.create_string_buffer(_LONGEST)
    _library().parallel_pool_call_derive(
        ctypes.c_void_p(binding_address()),
        ctypes.c_void_p(model._address),
        ctypes.c_void_p(before._address),
        names,
        message,
        ctypes.c_uint64(_LONGEST),
    )
    if message.value:
        raise MujocoError(f"model_overrides: {message.value.decode(errors='replace')}")


@functools.cache
def derived_members() -> frozenset[str]:
    """Members that are computed from others."""
    names: bytes = _library().parallel_pool_call_derived_members()
    return frozenset(names.decode().split())


@functools.cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(find_library("parallel_pool_mujoco", "mujoco")))
    library.parallel_pool_call_derived_members.restype = ctypes.c_char_p
    library.parallel_pool_call_derive.restype = None
    return library
