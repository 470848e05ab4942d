"""The one registry of a process, made when it is first asked for."""

import threading
import warnings

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


_scan = PerProcess(_Scan)
_registry: Registry | None = None
"""Set when it is whole: a forked child has it too."""


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
    return found


def reset_for_tests() -> None:
    """Forget everything; the next `registry()` scans again. Imported modules stay imported."""
    global _registry
    with _scan.here.lock:
        _registry = None
