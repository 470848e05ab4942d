"""The one registry of a process, made when it is first asked for."""

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from parallel_pool.errors import ParallelPoolError, PluginWarning
from parallel_pool.imports.undisturbed import undisturbed
from parallel_pool.registry.discovery import discover
from parallel_pool.registry.service import Registry

_lock = threading.RLock()
_registry: Registry | None = None
_scanning = False
_after_scan: list[Callable[[], None]] = []


def registry() -> Registry:
    """The registry of this process; scans at the first call. Safe to call from any thread."""
    global _registry, _scanning
    with _lock:
        if _registry is not None:
            return _registry
        if _scanning:
            raise ParallelPoolError(
                "a plugin asked for the registry while being imported; return its environments "
                "from the hook parallel_pool_envs instead"
            )
        _scanning = True
        try:
            plugins = undisturbed(discover)
        finally:
            _scanning = False
        _registry = Registry(plugins)
    # After the registry is kept, so that a warning turned into an error cannot cause a second scan.
    for plugin in plugins:
        if warning := plugin.warning():
            warnings.warn(warning, PluginWarning, stacklevel=2)
    _call_waiting()
    return _registry


@contextmanager
def if_it_can_be_asked() -> Iterator[bool]:
    """Whether `registry()` answers without waiting: not while it scans, in this thread or another one.

    If it does, it does inside the `with`.
    """
    here = _lock.acquire(blocking=_registry is not None)  # then it is held only for a moment
    try:
        yield here and not _scanning
    finally:
        if here:
            _lock.release()


def after_scan(call: Callable[[], None]) -> None:
    """Calls when the next scan is done; at once if that was so meanwhile."""
    _after_scan.append(call)
    if _registry is not None:
        _call_waiting()


def _call_waiting() -> None:
    with _lock:
        waiting, _after_scan[:] = list(_after_scan), []
    for call in waiting:
        call()


def reset_for_tests() -> None:
    """Forget everything; the next `registry()` scans again. Imported modules stay imported."""
    global _registry
    with _lock:
        _registry = None
