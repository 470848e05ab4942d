"""Finds plugins, knows their environments, and loads nothing until one is made.

`registry()` scans the installed distributions once and keeps the result. A broken plugin costs one
`PluginWarning` and never breaks another. Environment variables:

- `PARALLEL_POOL_DISABLE_PLUGINS`: families or distributions, separated by commas; `*` means all.
  They are not imported.
- `PARALLEL_POOL_STRICT_PLUGINS=1`: raise `PluginError` instead of warning, for a plugin's own CI.
"""

import sys
import threading
import warnings
from os import PathLike

from parallel_pool.errors import ParallelPoolError, PluginWarning
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry.catalogue import ResolvedEnv
from parallel_pool.registry.discovery import discover
from parallel_pool.registry.plugin import Plugin, Problem
from parallel_pool.registry.program import EnvFactory
from parallel_pool.registry.service import Registry

__all__ = [
    "Plugin",
    "Problem",
    "Registry",
    "ResolvedEnv",
    "list_all_envs",
    "register",
    "registry",
    "reset_for_tests",
]

_lock = threading.RLock()
_registry: Registry | None = None
_scanning = False


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
            plugins = discover()
        finally:
            _scanning = False
        _registry = Registry(plugins)
    # After the registry is kept, so that a warning turned into an error cannot cause a second scan.
    for plugin in plugins:
        if warning := plugin.warning():
            warnings.warn(warning, PluginWarning, stacklevel=2)
    return _registry


def list_all_envs(family: str | None = None, aliases: bool = False) -> list[str]:
    """See `Registry.list_all_envs`."""
    return registry().list_all_envs(family, aliases)


def register(
    spec: EnvSpec,
    *,
    library: str | PathLike[str] | None = None,
    factory: EnvFactory | None = None,
) -> None:
    """See `Registry.register`. Where gymnasium is loaded, it learns of the environment too."""
    registry().register(spec, library=library, factory=factory)
    if "gymnasium" in sys.modules:
        from parallel_pool.gymnasium_ids import enter

        enter(spec)


def reset_for_tests() -> None:
    """Forget everything; the next `registry()` scans again. Imported modules stay imported."""
    global _registry
    with _lock:
        _registry = None
