"""Finds plugins, knows their environments, and loads nothing until one is made.

`registry()` scans the installed distributions once and keeps the result. A broken plugin costs one
`PluginWarning` and never breaks another. Environment variables:

- `PARALLEL_POOL_DISABLE_PLUGINS`: families or distributions, separated by commas; `*` means all.
  They are not imported.
- `PARALLEL_POOL_STRICT_PLUGINS=1`: raise `PluginError` instead of warning, for a plugin's own CI.
"""

from os import PathLike

from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import gymnasium_ids
from parallel_pool.registry.catalogue import ResolvedEnv
from parallel_pool.registry.plugin import Plugin, Problem
from parallel_pool.registry.process import registry, reset_for_tests
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
    gymnasium_ids.on_register(spec)
