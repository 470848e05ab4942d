"""Asks the library about the language: operations, and what a task may write (src)."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping

from parallel_pool.plugin_api import find_library


@functools.cache
def ops() -> Mapping[str, str]:
    """The form of each operation by its name; src/ops.hpp says what the letters mean."""
    return {name: form for name, _, form in (line.partition(" ") for line in _lines("ops"))}


@functools.cache
def loops() -> tuple[str, ...]:
    """The functions that numpy's own loops compute, by their names."""
    return tuple(_lines("loops"))


@functools.cache
def inputs() -> frozenset[str]:
    """The arrays of mjData that a task may write."""
    return frozenset(_lines("inputs"))


@functools.cache
def members() -> tuple[str, ...]:
    """The members of mjModel that a task may write: "body_mass", "opt.gravity"."""
    return tuple(" ".join(_lines("members")).split())


def _lines(name: str) -> list[str]:
    library = ctypes.CDLL(str(find_library("parallel_pool_tasks", "tasks")))
    call = getattr(library, f"parallel_pool_call_{name}")
    call.restype = ctypes.c_char_p
    lines: list[str] = call().decode().splitlines()
    return lines
