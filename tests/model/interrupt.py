"""One interrupt at some moment of a call, and what a user does then."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import parallel_pool


class Interrupt:
    """Comes so many seconds after a call begins, if that is not over; in the main thread."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._felt = False
        self.by_recv = False
        """Whether the result, an EnvError too, is one of `recv` instead."""

    def during(self, call: Callable[[], Any], pool: Any) -> Any:
        """What `call`, which may send and receives, gives in the end."""
        before = signal.signal(signal.SIGALRM, self._strike)
        result, again = None, call
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
        try:
            while True:
                # Between the marks nothing may be called but what is tried.
                try:
                    self._felt = True
                    result = again()
                    self._felt = False
                    return result
                except KeyboardInterrupt:
                    if result is not None:
                        return result
                    again, self.by_recv = pool.recv, True
                except parallel_pool.NothingPendingError:
                    self._felt = False
                    if again is call:
                        raise
                    again, self.by_recv = (
                        call,
                        False,
                    )  # it was interrupted before it had sent anything
        finally:
            self._felt = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _strike(self, *_: object) -> None:
        if self._felt:
            self._felt = False
            raise KeyboardInterrupt
