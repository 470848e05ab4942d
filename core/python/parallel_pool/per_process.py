"""What the threads of one process share, and a forked child has fresh. Imports almost nothing itself.

Only the thread that forks lives on in the child. A lock that another one held at that moment is held for ever
there, and what it protects is half written. So a child uses neither: it has objects of its own, and leaves the
parent's as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class PerProcess(Generic[T]):
    """An object of which every process has one of its own; for variables of modules.

        lock = PerProcess(threading.Lock)

        with lock.here: ...

    `make` is called now, and again in each forked child, so it must be quick and take no lock.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._left: list[T] = []
        self.here = make()
        """This process's."""
        _all.append(self)

    def _begin_anew(self) -> None:
        self._left.append(self.here)  # what it refers to may be in use by libraries
        self.here = self._make()


_all: list[PerProcess[Any]] = []


def in_forked_children(call: Callable[[], None]) -> None:
    """Calls in every child that is forked from now on, before anything else runs there."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=call)


def _begin_all_anew() -> None:
    for each in _all:
        each._begin_anew()


in_forked_children(_begin_all_anew)
