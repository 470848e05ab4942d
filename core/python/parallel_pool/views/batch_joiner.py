"""Joins several batches of an asynchronous pool into one."""

from __future__ import annotations

import time
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import NothingPendingError
from parallel_pool.schema.batches import concatenated


class BatchJoiner:
    """Received batches that were not returned yet.

    A signal, a timeout or an environment that fails loses none of them.
    """

    def __init__(self, num_envs: int, batch_size: int) -> None:
        self._num_envs, self._batch_size = num_envs, batch_size
        self._parts: list[Any] = []
        self._apart = False
        """Whether they could not be joined, and are returned one by one."""

    def recv(
        self,
        receive: Callable[[float | None], Any],
        timeout: float | None,
        min_batch: int | None,
        max_batch: int | None,
        max_wait: float,
        convert: Callable[[Any], Any] | None,
    ) -> Any:
        """See `GymnasiumPool.recv`. receive: a function that receives one batch of arrays within a timeout;
        convert: what a result goes through; None: nothing.
        """
        least, most = self._bounds(min_batch, max_batch, max_wait)
        begin = time.monotonic()
        while not self._apart and self._rows() + self._batch_size <= most:
            passed = time.monotonic() - begin
            if self._rows() < least:
                left = None if timeout is None else max(timeout - passed, 0.0)
            else:
                left = max(max_wait - passed, 0.0)
            try:
                self._parts.append(receive(left))
            except (TimeoutError, NothingPendingError):
                if self._rows() < least:
                    raise
                break
        if self._apart or len(self._parts) == 1:
            first, *rest = self._parts
            first = first if convert is None else convert(first)
            self._parts, self._apart = rest, self._apart and bool(rest)
            return first
        # If a signal interrupts this, or there is no memory, the next call repeats it.
        result = self._joined()
        result = result if convert is None else convert(result)
        self._parts = []
        return result

    @property
    def waiting(self) -> bool:
        """Whether there are received batches that were not returned."""
        return bool(self._parts)

    def _joined(self) -> Any:
        try:
            return concatenated(self._parts)
        except MemoryError:
            raise
        except Exception as error:
            self._apart = True
            error.add_note(
                f"{self._rows()} received rows cannot be joined. No row is lost: the next calls of recv return "
                "them, one batch each"
            )
            raise

    def _rows(self) -> int:
        return self._batch_size * len(self._parts)

    def _bounds(
        self, min_batch: int | None, max_batch: int | None, max_wait: float
    ) -> tuple[int, int]:
        for name, rows in (("min_batch", min_batch), ("max_batch", max_batch)):
            whole = isinstance(rows, Integral) and not isinstance(rows, bool)
            if rows is not None and not whole:
                raise OptionError(f"{name} is {rows!r}, expected a number of rows, or None")
        least = self._batch_size if min_batch is None else min_batch
        most = max(least, self._batch_size) if max_batch is None else max_batch
        if not 1 <= least <= most <= self._num_envs or most < self._batch_size:
            raise OptionError(
                f"min_batch is {min_batch!r} and max_batch {max_batch!r}, expected 1 <= min_batch <= "
                f"max_batch, and max_batch in batch_size .. num_envs ({self._batch_size} .. {self._num_envs})"
            )
        if not isinstance(max_wait, Real) or isinstance(max_wait, bool) or not max_wait >= 0:
            raise OptionError(f"max_wait is {max_wait!r}, expected seconds, at least 0")
        if -(-least // self._batch_size) * self._batch_size > most:
            raise OptionError(
                f"min_batch={least} and max_batch={most} have no multiple of batch_size={self._batch_size} "
                "between them: answers are made of whole batches"
            )
        return least, most
