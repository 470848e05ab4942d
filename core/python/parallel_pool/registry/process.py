"""The one registry of a process, made when it is first asked for."""

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from parallel_pool.errors import ParallelPoolError, PluginWarning
from parallel_pool.imports.undisturbed import undisturbed
from parallel_pool.per_process import PerProcess
from parallel_pool.registry.discovery import discover
from parallel_pool.registry.plugin import Plugin
from parallel_pool.registry.service import Registry


class _Scan:
    """Who scans in this process."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.scanning = False
        self.calling = False
        """Whether a thread calls what waited."""


_scan = PerProcess(_Scan)
_registry: Registry | None = None
"""Set when it is whole: a forked child has it too."""
_after_scan: list[Callable[[], None]] = []


def registry() -> Registry:
    """The registry of this process; scans at the first call. Safe to call from any thread."""
    global _registry
    scan = _scan.here
    plugins: list[Plugin] = []
    with scan.lock:
        if _registry is None:
            if scan.scanning:
                raise ParallelPoolError(
                    "a plugin asked for the registry while being imported; return its environments "
                    "from the hook parallel_pool_envs instead"
                )
            scan.scanning = True
            try:
                plugins = undisturbed(discover)
            finally:
                scan.scanning = False
            _registry = Registry(plugins)
        found = _registry
    # After the registry is kept, so that a warning turned into an error cannot cause a second scan.
    for plugin in plugins:
        if warning := plugin.warning():
            warnings.warn(warning, PluginWarning, stacklevel=2)
    if _after_scan:
        _call_waiting()
    return found


@contextmanager
def if_it_can_be_asked() -> Iterator[bool]:
    """Whether `registry()` answers without waiting: not while it scans, in this thread or another one.

    If it does, it does inside the `with`.
    """
    scan = _scan.here
    here = scan.lock.acquire(blocking=_registry is not None)  # then it is held only for a moment
    try:
        yield here and not scan.scanning
    finally:
        if here:
            scan.lock.release()


def after_scan(call: Callable[[], None]) -> None:
    """Calls when the next scan is done; at once if that was so meanwhile."""
    _after_scan.append(call)
    if _registry is not None:
        _call_waiting()


def _call_waiting() -> None:
    # A call is taken from the list when it has come to an end: a child that is forked meanwhile repeats it.
    scan = _scan.here
    with scan.lock:
        if scan.calling:
            return
        scan.calling = True
    try:
        while _after_scan:
            try:
                _after_scan[0]()
            finally:
                del _after_scan[0]
    finally:
        scan.calling = False


def reset_for_tests() -> None:
    """Forget everything; the next `registry()` scans again. Imported modules stay imported."""
    global _registry
    with _scan.here.lock:
        _registry = None
