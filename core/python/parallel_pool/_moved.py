"""Modules that have moved: their old paths, which docs named and pickles hold, go on working."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any


def warn_of_old_name(old: str, new: str) -> None:
    """A DeprecationWarning for who uses the caller of this function's caller."""
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=3)


def moved(old: str, new: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module `old` whose content is in `new`: warns at each use."""

    def find(name: str) -> Any:
        if name.startswith("__"):  # what importing itself looks for
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        value = getattr(import_module(new), name)
        warn_of_old_name(old, f"{new}: import {name} from there")
        return value

    return find
