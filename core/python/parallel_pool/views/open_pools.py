"""The open pools of this process: their threads together, and their end when the interpreter ends."""

from __future__ import annotations

import atexit
import weakref
from typing import Protocol

from parallel_pool import _core
from parallel_pool.threads.cpu_budget import warn_of_many_pools
from parallel_pool.threads.thread_pool import open_thread_pools


class OpenPool(Protocol):
    """A view of a native pool."""

    def _running_threads(self) -> int: ...
    def _close_threads(self) -> None: ...


# Threads must be gone before the interpreter takes the process apart.
_open: weakref.WeakSet[OpenPool] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    _core.shut(workers=False)
    try:
        for view in list(_open):
            view._close_threads()
    finally:
        _core.shut(workers=True)


def opened(view: OpenPool) -> None:
    """Keeps a new pool until it is deleted. Warns if all open pools together have too many threads."""
    _open.add(view)
    if view._running_threads() == 0:
        return
    try:
        own = [each._running_threads() for each in list(_open)]
        shared = [each.num_threads for each in list(open_thread_pools) if not each.closed]
    except RuntimeError:  # another thread has just made a pool; it will count
        return
    counts = [count for count in own + shared if count > 0]
    if len(counts) > 1:
        warn_of_many_pools(sum(counts), len(counts))
