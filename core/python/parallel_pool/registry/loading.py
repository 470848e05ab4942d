"""Imports the module of a plugin and connects its hooks: when its environments are listed, or where it has an
index, when a hook is called.

Each plugin has a pluggy manager of its own: one plugin's mistake cannot reach another's hooks, and
a `firstresult` hook never answers for a foreign family.
"""

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager

import pluggy

from parallel_pool.errors import LibraryError
from parallel_pool.plugin_api import PROJECT
from parallel_pool.registry import hookspecs, traces
from parallel_pool.registry.described import one_line
from parallel_pool.registry.plugin import Plugin

GROUP = "parallel_pool"
"""Of entry points."""


def load(plugin: Plugin) -> bool:
    """Imports the plugin's module, once; records what goes wrong. Returns whether it has hooks."""
    if plugin.hook is None and plugin.status == "ok":
        before = traces.state()
        with watched(plugin, f"importing {plugin.module}"):
            module = importlib.metadata.EntryPoint(plugin.family, plugin.module, GROUP).load()
        if plugin.status == "ok":
            with watched(plugin, "checking its hooks"):
                unknown = attach(plugin, module)
                plugin.notes += [f"hook {name} is unknown to this core" for name in unknown]
        plugin.notes += [f"importing it changes {name}" for name in traces.changes(before)]
    return plugin.hook is not None


@contextmanager
def watched(plugin: Plugin, doing: str) -> Iterator[None]:
    """Where what is done with a plugin raises, the plugin has failed."""
    try:
        yield
    except KeyboardInterrupt as error:  # the user does not wait any longer
        error.add_note(f"while {doing} of plugin {plugin.label}; {plugin.hiding}")
        raise
    except BaseException as error:  # SystemExit too, and Rust panics, which are no Exceptions
        hint = "" if isinstance(error, LibraryError) else f"; try `{plugin.reinstall}`"
        plugin.fail(f"{doing} failed with {one_line(error)}{hint}", error)


def attach(plugin: Plugin, implementation: object) -> list[str]:
    """Connect the hooks that `implementation` (a module, class or object) holds to `plugin`.

    Returns the names of hooks this core does not know. Raises pluggy.PluginValidationError for a
    hook with a wrong signature.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(implementation, plugin.family)
    plugin.hook = manager.hook
    callers = manager.get_hookcallers(implementation) or []
    return [caller.name for caller in callers if not caller.has_spec()]
