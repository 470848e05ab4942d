"""Attributes that are computed when they are first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property

    computed_once = cached_property
else:

    class computed_once:
        """As functools.cached_property, without the lock that it has in Python 3.11: one for all objects of a
        class, which a forked child would find locked for ever. Threads that read first at the same time compute
        it each.
        """

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self.func = compute
            self.__doc__ = compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            # What another thread has stored meanwhile stays.
            return instance.__dict__.setdefault(self._name, self.func(instance))
