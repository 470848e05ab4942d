"""How many threads are right for this process, and a word when there are too many."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from parallel_pool import _core
from parallel_pool.caller import warn_caller
from parallel_pool.errors import OversubscriptionWarning

LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE"
"""torchrun, Lightning and accelerate set it: how many processes on this machine do the same work."""

MOST_THREADS = 4096
"""Of one pool, or of one ThreadPool."""

ALLOWANCE = 2
"""Threads per CPU without a warning. A pool for evaluation beside the one for training has as many
threads again, and that is fine: they take turns."""

_warned = False


def local_processes() -> int:
    """How many processes share this machine's CPUs by their launcher's word; 1 if there is none."""
    text = os.environ.get(LOCAL_WORLD_SIZE, "")
    return max(1, int(text)) if text.isascii() and text.isdigit() else 1


def gil_is_on() -> bool:
    """Whether one thread runs Python at a time. Importing an extension may turn it on."""
    enabled: Callable[[], bool] = getattr(sys, "_is_gil_enabled", lambda: True)
    return enabled()


def share_of_cpus() -> int:
    """The number of threads that this process can run at once while its siblings do the same.

    Affinity mask and cgroup quota, divided by LOCAL_WORLD_SIZE; at least 1.
    """
    return max(1, _core.usable_cpus() // local_processes())


def usual_threads(cpus: list[list[int]]) -> int:
    """As many threads as can run on these CPUs (see `placement.thread_cpus`), and not more than the share."""
    named = {cpu for each in cpus for cpu in each}
    return min(len(named) or MOST_THREADS, share_of_cpus())


def warn_of_many_threads(owner: str, num_threads: int) -> None:
    """Checks a number of threads that the user has given."""
    usable = _core.usable_cpus()
    if num_threads <= ALLOWANCE * usable:
        return
    warn_caller(
        f"{owner}: num_threads={num_threads}, but this process may use {usable} CPUs (affinity mask and "
        "cgroup quota): more threads than CPUs only slow each other down. Leave num_threads out for "
        f"{share_of_cpus()}",
        OversubscriptionWarning,
    )


def warn_of_many_pools(threads: int, pools: int) -> None:
    """For all threads that live in this process. Warns once in the life of the process."""
    global _warned
    usable = _core.usable_cpus()
    if _warned or threads <= ALLOWANCE * usable:
        return
    _warned = True
    warn_caller(
        f"{pools} pools of this process have {threads} threads, for {usable} CPUs. Let them share: "
        f"threads = parallel_pool.ThreadPool({share_of_cpus()}); make(..., thread_pool=threads). Or "
        "close pools that are done, or give each fewer threads: num_threads",
        OversubscriptionWarning,
    )
