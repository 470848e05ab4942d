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
from parallel_pool.registry.catalogue import ResolvedEnv as ResolvedEnv
from parallel_pool.registry.plugin import Plugin as Plugin
from parallel_pool.registry.plugin import Problem as Problem
from parallel_pool.registry.process import registry as registry
from parallel_pool.registry.process import reset_for_tests as reset_for_tests
from parallel_pool.registry.program_plugin import EnvFactory
from parallel_pool.registry.service import Registry as Registry


def list_all_envs(family: str | None = None, aliases: bool = False) -> list[str]:
    """Returns the canonical ids of all environments, sorted.

    Args:
        family: only ids of this family, such as "lander".
        aliases: also the ids without family and the aliases that mean exactly one environment.
    """
    return registry().list_all_envs(family, aliases)


def register(
    spec: EnvSpec,
    *,
    library: str | PathLike[str] | None = None,
    factory: EnvFactory | None = None,
    hooks: object | None = None,
) -> None:
    """Adds an environment for the rest of this process; adding an equal one again has no effect.

    If Gymnasium's registry has our ids (`register_gymnasium`), it gets this one too.

    Args:
        spec: id and description. In the family of an installed plugin it is made by that plugin, for example
            as another preset of a native environment; then leave out library and factory.
        library: the shared library of a new family of native environments.
        factory: `factory(spec, options)` returns a callable that makes one `gymnasium.Env`, for a new family
            of Python environments (`EnvSpec(..., backend="python")`) or for one environment of it, as the hook
            `parallel_pool_env_factory`.
        hooks: what holds the hooks of a new family, as the module that a plugin's entry point names.

    Raises:
        PluginError: the id or an alias is taken, or library and factory do not fit the family.
    """
    registry().register(spec, library=library, factory=factory, hooks=hooks)
    gymnasium_ids.on_register(spec)
