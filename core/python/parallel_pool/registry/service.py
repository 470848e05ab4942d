"""The registry proper: one object that answers every question about environments."""

import threading
from os import PathLike, fspath

from parallel_pool.errors import PluginError
from parallel_pool.per_process import PerProcess
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry.acceptance import accept
from parallel_pool.registry.catalogue import Catalogue
from parallel_pool.registry.first_party import FAMILIES, RESERVED, install_command
from parallel_pool.registry.plugin import Plugin, Problem
from parallel_pool.registry.program_plugin import EnvFactory, ProgramPlugin, program_plugin

_changing = PerProcess(threading.Lock)


class Registry(Catalogue):
    """Plugins and environments of one process. Get it from `registry()`.

    Safe in any thread. An environment that `register` adds is found once all is known of it.
    """

    def __init__(self, plugins: list[Plugin]) -> None:
        super().__init__(plugins)
        self._programs: dict[str, ProgramPlugin] = {}
        """What makes the environments of the families that `register` began."""

    @property
    def problems(self) -> list[Problem]:
        """What was refused or broken, over all plugins."""
        return [problem for plugin in self.plugins for problem in plugin.problems]

    def list_all_envs(self, family: str | None = None, aliases: bool = False) -> list[str]:
        """Canonical ids, sorted; with `aliases` also every short id that `resolve` would accept."""
        ids = [spec.id for spec in self.specs(family)]
        return sorted(ids + self.short_ids(family)) if aliases else ids

    def plugin(self, family: str) -> Plugin:
        """The plugin that provides `family`. Raises PluginError that says why there is none."""
        claims = [plugin for plugin in self.plugins if plugin.family == family]
        for plugin in claims:
            if plugin.status == "ok":
                return plugin
        if claims:
            raise PluginError(f"plugin {claims[0].label} cannot be used: {claims[0].reason}")
        fix = (
            f": {install_command(family)}"
            if family in FAMILIES
            else "; see `parallel-pool list`. To install one that you write: `pip install .` in its folder"
        )
        raise PluginError(f"no plugin provides the family {family!r}{fix}")

    def register(
        self,
        spec: EnvSpec,
        *,
        library: str | PathLike[str] | None = None,
        factory: EnvFactory | None = None,
        hooks: object | None = None,
    ) -> None:
        """See `parallel_pool.register`. An environment that is registered again takes the new factory."""
        library = fspath(library) if isinstance(library, PathLike) else library
        with _changing.here:
            self._register(spec, library, factory, hooks)

    def _register(
        self,
        spec: EnvSpec,
        library: str | PathLike[str] | None,
        factory: EnvFactory | None,
        hooks: object | None,
    ) -> None:
        program = self._programs.get(spec.family)
        wanted = (spec.family, "ok")
        plugin = next((each for each in self.plugins if (each.family, each.status) == wanted), None)
        new = plugin is None
        if plugin is None:
            if spec.family in RESERVED:
                raise PluginError(
                    f"{spec.id}: the family name {spec.family!r} is reserved; choose another"
                )
            if spec.family in FAMILIES:
                self.plugin(spec.family)  # raises: such a family belongs to its distribution
            plugin, program = program_plugin(spec.family, library, factory, hooks)
        elif program is None and (library, factory, hooks) != (None, None, None):
            raise PluginError(
                f"{spec.id}: the family belongs to plugin {plugin.label} already; leave out "
                "library, factory and hooks, or choose another family"
            )
        elif program is not None and (
            library not in (None, program.library)
            or hooks not in (None, program.hooks)
            or (factory is not None and program.hooks is not None)
        ):
            maker = program.library or program.hooks or "factories in Python"
            raise PluginError(
                f"{spec.id}: the family {spec.family} is made by {maker} already; leave out library, factory "
                "and hooks, or choose another family"
            )
        # An equal one is added again below: in a child of a process that was about to.
        if plugin.specs.get(spec.id) != spec:
            replaced = spec.id if program is not None and program.hooks is not None else None
            others = [each for each in plugin.specs.values() if each.id != replaced]
            accepted, reasons = accept(spec.family, [*others, spec])
            reasons += self._taken(plugin, spec)
            if reasons:
                raise PluginError(f"cannot register {spec.id}: {reasons[0]}")
            plugin.specs = accepted
        if new:
            assert program is not None
            self._programs[spec.family] = program
            self.plugins.append(plugin)
        if program is not None and factory is not None:
            program.factories[spec.id] = factory
        self._add(plugin, spec)
