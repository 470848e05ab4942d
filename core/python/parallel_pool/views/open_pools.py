"""The open pools of this process: their threads together, and their end when the interpreter ends."""

from __future__ import annotations

import atexit
import time
import weakref
from typing import Protocol

from parallel_pool import _core
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.threads.cpu_budget import warn_of_many_pools
from parallel_pool.threads.cpu_waits import Clocks, finding, run_and_waited, warn_once
from parallel_pool.threads.thread_pool import open_thread_pools


class OpenPool(Protocol):
    """A view of a native pool."""

    _pool: _core.Pool
    _config: PoolConfig

    def _running_threads(self) -> int: ...
    def _close_threads(self) -> None: ...


# Threads must be gone before the interpreter takes the process apart.
_open: weakref.WeakKeyDictionary[OpenPool, Clocks] = weakref.WeakKeyDictionary()


@atexit.register
def _close_all() -> None:
    _core.shut(workers=False)
    waits = list(map(waits_for_cpus, list(_open)))
    try:
        for view in list(_open):
            view._close_threads()
    finally:
        _core.shut(workers=True)
    for each in waits:
        warn_once(each)


def opened(view: OpenPool) -> None:
    """Keeps a new pool until it is deleted. Warns if all open pools together have too many threads."""
    _open[view] = Clocks(time.monotonic(), time.process_time())
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


def waits_for_cpus(view: OpenPool) -> str | None:
    """A warning, if the pool has threads of its own, and they have waited for CPUs for long."""
    if view._running_threads() == 0 or view not in _open:
        return None
    times = run_and_waited(view._pool.stats()["thread_ids"])
    return finding(view._config.env.id, times, _open[view])
