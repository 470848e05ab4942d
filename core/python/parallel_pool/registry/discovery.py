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
from parallel_pool.errors import PluginError
from parallel_pool.registry import hooks, plugin_index
from parallel_pool.registry.acceptance import accept
from parallel_pool.registry.described import one_line
from parallel_pool.registry.first_party import RESERVED, may_claim, normal, owner
from parallel_pool.registry.loading import GROUP, load, watched
from parallel_pool.registry.plugin import DISABLE_VARIABLE, Plugin

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
    strict = environment.get(STRICT_VARIABLE, "") not in ("", "0")
    for plugin in plugins:
        if plugin.status == "ok":
            _load(plugin, asks=strict)
    if strict:
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


def _load(plugin: Plugin, asks: bool) -> None:
    """List the plugin's environments, of its index or, without one, of its module; record what goes wrong.

    asks: of its module at any rate.
    """
    if not asks:
        _read_index(plugin)
    # Seconds of this thread: a machine that is busy with others is not the plugin's fault.
    started = time.thread_time()
    if plugin.status != "ok" or (plugin.index is None and not load(plugin)):
        return
    with watched(plugin, "calling its hook parallel_pool_envs"):
        listed = hooks.list_envs(plugin) if plugin.index is None else plugin.index.specs
        plugin.specs, reasons = accept(plugin.family, listed)
        if reasons and not plugin.specs:
            plugin.fail("none of its environments is acceptable: " + reasons[0])
        else:
            for reason in reasons:
                plugin.report(reason)
    plugin.seconds = time.thread_time() - started


def _read_index(plugin: Plugin) -> None:
    with watched(plugin, "reading its index"):
        distribution = importlib.metadata.distribution(plugin.distribution)
        if path := plugin_index.find(distribution, plugin.family):
            plugin.index = plugin_index.read(path, distribution, plugin.module)


def _insist(plugins: list[Plugin]) -> None:
    """Strict mode: raise what would have been warnings and notes."""
    problems = [problem for plugin in plugins for problem in plugin.problems]
    notes = [f"plugin {plugin.label}: {note}" for plugin in plugins for note in plugin.notes]
    if problems or notes:
        cause = problems[0].cause if problems else None
        message = "; ".join([str(problem) for problem in problems] + notes)
        raise PluginError(f"{message}. (Raised because {STRICT_VARIABLE} is set.)") from cause
