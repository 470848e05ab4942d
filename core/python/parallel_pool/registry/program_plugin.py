"""The plugin that stands for environments a program registers itself, without a distribution."""

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, TypeAlias

from parallel_pool.errors import PluginError
from parallel_pool.plugin_api import EnvSpec, hookimpl
from parallel_pool.registry.loading import attach
from parallel_pool.registry.plugin import BY_PROGRAM, Plugin

EnvFactory: TypeAlias = Callable[[EnvSpec, Mapping[str, Any]], Callable[[], Any]]


class ProgramPlugin:
    """What makes the environments of one family: a library, factories in Python, or hooks of the program."""

    def __init__(
        self, library: str | PathLike[str] | None, factory: EnvFactory | None, hooks: object | None
    ) -> None:
        self.library = library
        self.hooks = hooks
        self.factory = factory
        """Of environments that have none of their own."""
        self.factories: dict[str, EnvFactory] = {}
        """By id."""

    @hookimpl
    def parallel_pool_library(self, family: str) -> str | PathLike[str] | None:
        """The library; None where environments are made in Python."""
        return self.library

    @hookimpl
    def parallel_pool_env_factory(
        self, spec: EnvSpec, options: Mapping[str, Any]
    ) -> Callable[[], Any] | None:
        """What makes the environment `spec` in Python, with these options; None if it is not in Python."""
        factory = self.factories.get(spec.id, self.factory)
        return None if factory is None else factory(spec, options)


def program_plugin(
    family: str,
    library: str | PathLike[str] | None,
    factory: EnvFactory | None,
    hooks: object | None,
) -> tuple[Plugin, ProgramPlugin]:
    """A plugin without environments yet. Raises PluginError if it could never make one."""
    if (library is None and factory is None) == (hooks is None):
        raise PluginError(
            f"no enabled plugin provides the family {family!r}; pass library=PATH of the shared "
            "library, factory= for environments in Python, or hooks= in place of both"
        )
    plugin = Plugin(family, BY_PROGRAM, "", module="parallel_pool.register")
    program = ProgramPlugin(library, factory, hooks)
    attach(plugin, program if hooks is None else hooks)
    return plugin, program
