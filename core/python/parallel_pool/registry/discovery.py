"""Finds the installed plugins and loads each in isolation.

pluggy's own entry-point loader stops at the first plugin that fails to import, and drops the second
of two that share a name in silence; so the loop is ours.
"""

import importlib.metadata
import os
import time
from collections import defaultdict
from collections.abc import Mapping

from parallel_pool import ids
from parallel_pool.errors import LibraryError, PluginError
from parallel_pool.registry import hooks, traces
from parallel_pool.registry.acceptance import accept
from parallel_pool.registry.described import one_line
from parallel_pool.registry.first_party import RESERVED, may_claim, normal, owner
from parallel_pool.registry.plugin import DISABLE_VARIABLE, Plugin

GROUP = "parallel_pool"
STRICT_VARIABLE = "PARALLEL_POOL_STRICT_PLUGINS"


def discover(environment: Mapping[str, str] = os.environ) -> list[Plugin]:
    """Every plugin installed, sorted by family: usable, broken, refused and disabled ones.

    Raises PluginError only in strict mode.
    """
    plugins = _find()
    disabled = {normal(name) for name in environment.get(DISABLE_VARIABLE, "").split(",")}
    for plugin in plugins:
        if disabled & {"*", normal(plugin.family), normal(plugin.distribution)}:
            plugin.status = "disabled"
    _refuse_collisions([plugin for plugin in plugins if plugin.status == "ok"])
    for plugin in plugins:
        if plugin.status == "ok":
            _load(plugin)
    if environment.get(STRICT_VARIABLE, "") not in ("", "0"):
        _insist(plugins)
    return plugins


def _find() -> list[Plugin]:
    """One Plugin per entry point of the group, sorted by family and distribution."""
    names: set[str] = set()
    for distribution in importlib.metadata.distributions():
        try:
            # Not distribution.entry_points: parsing those of every distribution is slow, and a
            # malformed file of a foreign one would raise.
            if GROUP in (distribution.read_text("entry_points.txt") or ""):
                names.add(normal(distribution.name))
        except Exception:
            continue  # not even a name to report it by, and most likely not a plugin

    plugins = []
    for name in names:
        # Editable installs and overlaid environments show one distribution several times. Python
        # imports from the first on sys.path, and `distribution` finds that one.
        origin = name, "of unknown version"
        try:
            distribution = importlib.metadata.distribution(name)
            origin = distribution.name, distribution.version
            entry_points = distribution.entry_points.select(group=GROUP)
            values = dict.fromkeys((each.name, each.value) for each in entry_points)
        except Exception as error:
            broken = Plugin(name, *origin, module="")
            broken.fail(f"its entry points cannot be read: {one_line(error)}", error)
            plugins.append(broken)
        else:
            plugins += [Plugin(family, *origin, module) for family, module in values]
    return sorted(plugins, key=lambda each: (each.family, each.distribution))


def _refuse_collisions(plugins: list[Plugin]) -> None:
    """Fail plugins that claim what is not theirs, by ownership and never by alphabet."""
    claims = defaultdict(list)
    for plugin in plugins:
        if not ids.is_family(plugin.family):
            plugin.fail(f"the entry point's name {plugin.family!r} is not a family name")
        elif plugin.family in RESERVED:
            plugin.fail(
                f"the family name {plugin.family!r} is reserved; {plugin.distribution} must choose another"
            )
        elif not may_claim(plugin.distribution, plugin.family):
            plugin.fail(
                f"the family {plugin.family!r} belongs to {owner(plugin.family)}; "
                f"{plugin.distribution} must choose another name"
            )
        else:
            claims[plugin.family].append(plugin)
    for family, rivals in claims.items():
        if len(rivals) > 1:
            labels = " and ".join(f"{each.distribution} {each.version}" for each in rivals)
            for plugin in rivals:
                plugin.fail(
                    f"the family {family!r} is claimed by {labels}, so none is used; uninstall "
                    f"one, or set {DISABLE_VARIABLE} to the distribution to leave out"
                )


def _load(plugin: Plugin) -> None:
    """Import the plugin's module and list its environments; record what goes wrong."""
    # Seconds of this thread: a machine that is busy with others is not the plugin's fault.
    started = time.thread_time()
    before = traces.state()
    doing = f"importing {plugin.module}"
    try:
        module = importlib.metadata.EntryPoint(plugin.family, plugin.module, GROUP).load()
        doing = "checking its hooks"
        unknown = hooks.attach(plugin, module)
        doing = "calling its hook parallel_pool_envs"
        plugin.specs, reasons = accept(plugin.family, hooks.list_envs(plugin))
    except KeyboardInterrupt as error:  # the user does not wait any longer
        error.add_note(f"while {doing} of plugin {plugin.label}; {plugin.hiding}")
        raise
    except BaseException as error:  # SystemExit too, and Rust panics, which are no Exceptions
        hint = "" if isinstance(error, LibraryError) else f"; try `{plugin.reinstall}`"
        plugin.fail(f"{doing} failed with {one_line(error)}{hint}", error)
    else:
        plugin.notes += [f"hook {name} is unknown to this core" for name in unknown]
        plugin.notes += [f"importing it changes {name}" for name in traces.changes(before)]
        if reasons and not plugin.specs:
            plugin.fail("none of its environments is acceptable: " + reasons[0])
        else:
            for reason in reasons:
                plugin.report(reason)
    plugin.seconds = time.thread_time() - started


def _insist(plugins: list[Plugin]) -> None:
    """Strict mode: raise what would have been warnings and notes."""
    problems = [problem for plugin in plugins for problem in plugin.problems]
    notes = [f"plugin {plugin.label}: {note}" for plugin in plugins for note in plugin.notes]
    if problems or notes:
        cause = problems[0].cause if problems else None
        message = "; ".join([str(problem) for problem in problems] + notes)
        raise PluginError(f"{message}. (Raised because {STRICT_VARIABLE} is set.)") from cause
