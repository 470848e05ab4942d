"""Imports that signal handlers cannot interrupt. Imports almost nothing itself."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal makes enums of its answers: 40 times the time
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")

PATIENCE = 5.0
"""Seconds after the first delayed signal, after which signals are no longer delayed: the work may hang."""


def undisturbed(work: Callable[..., Result], *arguments: Any) -> Result:
    """Calls `work(*arguments)`. Signals that arrive meanwhile are handled after it.

    For imports: if a handler raises in the middle of one, as Ctrl-C does, numpy, gymnasium and others cannot be
    imported again in the process. Other threads are never interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        return work(*arguments)
    delay = _Delay()
    try:
        delay.begin()
        return work(*arguments)
    finally:
        delay.end()


def import_undisturbed(*names: str) -> None:
    """Imports modules that are not imported yet, undisturbed; waits for those that another thread imports."""
    if all(name in sys.modules for name in names):
        _import(names)
    else:
        undisturbed(_import, names)


def _import(names: tuple[str, ...]) -> None:
    for name in names:
        import_module(name)


class _Delay:
    """Replaces the handlers of the program, one for all signals."""

    def __init__(self) -> None:
        self._handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._came: dict[int, None] = {}
        self._until: float | None = None
        self._delays = True
        self._thread = threading.get_ident()

    def __call__(self, number: int, frame: FrameType | None) -> Any:
        now = time.monotonic()
        if self._until is None:
            self._until = now + PATIENCE
        # In a child that another thread forked meanwhile, nobody ends the delay.
        here = threading.get_ident() == self._thread
        if here and self._delays and now < self._until:
            self._came[number] = None
            return None
        return self._handlers[number](number, frame)

    def begin(self) -> None:
        """Replaces all handlers written in Python. Only these can raise."""
        for number in _signal.valid_signals():
            handler = _signal.getsignal(number)
            if not callable(handler) or isinstance(handler, _Delay):
                continue
            self._handlers[number] = handler
            try:
                signal.signal(number, self)
            except ValueError:  # a sub-interpreter, which gets no signals
                return

    def end(self) -> None:
        """Restores the handlers, and calls those of the signals that arrived."""
        back = [
            partial(signal.signal, number, handler)
            for number, handler in self._handlers.items()
            if _signal.getsignal(number) is self
        ]
        _call_all([*back, partial(self._handle)])

    def _handle(self) -> None:
        self._delays = False
        # A frame that refers to itself would keep the results of its callers until the next collection.
        if not self._came:
            return
        frame = sys._getframe()
        _call_all([partial(self._handlers[number], number, frame) for number in self._came])


def _call_all(calls: list[partial[Any]]) -> None:
    """Calls all of them, whatever handlers raise meanwhile."""
    if calls:
        try:
            calls[0]()
        finally:
            _call_all(calls[1:])
