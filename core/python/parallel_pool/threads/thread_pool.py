"""Threads that several pools share."""

from __future__ import annotations

import atexit
import weakref
from numbers import Integral
from typing import Any, NoReturn, Self

from parallel_pool import _core
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import ThreadPoolInUseError
from parallel_pool.threads.cpu_budget import MOST_THREADS, usual_threads, warn_of_many_threads
from parallel_pool.threads.placement import ranges, thread_cpus

open_thread_pools: weakref.WeakSet[ThreadPool] = weakref.WeakSet()
"""All that live; some may be closed."""


@atexit.register
def _close_all() -> None:
    for threads in list(open_thread_pools):
        threads._native.close()


class ThreadPool:
    """Threads that several pools share: `make(..., thread_pool=ThreadPool(8))`.

    The threads serve the pools alternately, a share of work at a time, so no pool waits until another is
    idle. The caller of a synchronous pool still takes a share of that pool's work, as one more thread.

    Args:
        num_threads: the number of threads; None: one per CPU that this process may use, or per CPU in
            thread_affinity or numa_node.
        thread_affinity: CPU numbers; thread i runs on the i-th of them, cyclically.
        numa_node: all threads run on the CPUs of this node.

    Raises:
        OptionError: an argument is invalid, or the CPUs are not available.
    """

    def __init__(
        self,
        num_threads: int | None = None,
        *,
        thread_affinity: Any = None,
        numa_node: int | None = None,
    ) -> None:
        self._cpus = thread_cpus("ThreadPool", thread_affinity, numa_node)
        if num_threads is None:
            num_threads = usual_threads(self._cpus)
        whole = isinstance(num_threads, Integral) and not isinstance(num_threads, bool)
        if not whole or not 1 <= num_threads <= MOST_THREADS:
            raise OptionError(
                f"ThreadPool: num_threads is {num_threads!r}, expected an integer in 1 .. {MOST_THREADS}, "
                "or None"
            )
        warn_of_many_threads("ThreadPool", int(num_threads))
        self._native = _core.ThreadPool(int(num_threads), self._cpus)
        open_thread_pools.add(self)

    @property
    def num_threads(self) -> int:
        """The number of threads, without the callers of synchronous pools."""
        return self._native.num_threads

    @property
    def num_pools(self) -> int:
        """The number of open pools that use the threads."""
        return self._native.num_pools

    @property
    def closed(self) -> bool:
        """Whether the threads have ended."""
        return self._native.closed

    def close(self) -> None:
        """Ends the threads. A second call has no effect.

        Raises ThreadPoolInUseError and ends nothing while a pool that uses the threads is open.
        """
        users = self._native.close()
        if users > 0:
            pools = "1 open pool uses" if users == 1 else f"{users} open pools use"
            raise ThreadPoolInUseError(
                f"{pools} this thread pool: close every pool first, then its threads"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if error is None:
            self.close()
        else:  # what went wrong is what the user must see, not that pools were left open by it
            self._native.close()

    def __copy__(self) -> ThreadPool:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> ThreadPool:
        return self  # threads cannot be copied, and specs that are copied may name them

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a ThreadPool is of this process and cannot be pickled; make one in the other process"
        )

    def __repr__(self) -> str:
        sets = [ranges(sorted({cpu for cpus in self._cpus for cpu in cpus}))] if self._cpus else []
        where = "".join(f", cpus={each}" for each in sets)
        state = "closed" if self.closed else f"pools={self.num_pools}"
        return f"ThreadPool(num_threads={self.num_threads}{where}, {state})"
