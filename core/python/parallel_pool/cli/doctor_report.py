"""What `parallel-pool doctor` checks and prints, where pluggy is installed."""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator

from parallel_pool import __version__
from parallel_pool.cli import doctor_system as system
from parallel_pool.cli.doctor_step import library, step
from parallel_pool.cli.text import table
from parallel_pool.errors import PluginWarning
from parallel_pool.plugin_api import Check
from parallel_pool.registry import Plugin, hooks, registry
from parallel_pool.registry.first_party import LIGHTEST, install_command
from parallel_pool.registry.loading import load


def report() -> int:
    """Print a line per check. Returns 1 if any failed, else 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PluginWarning)  # every problem is a line below
        plugins = registry().plugins
    core = _compiled_core()
    checks = [system.python(), system.machine(), Check("parallel-pool", True, __version__), core]
    if core.ok:
        from parallel_pool import _core

        checks.append(system.cpus(_core.usable_cpus()))
    checks += [*system.packages(), *system.pygame(), system.watching(), *system.torch()]
    for plugin in plugins:
        checks += _plugin(plugin, try_library=core.ok)
    if not plugins:
        checks.append(Check("plugins", True, f"none; try: {install_command(LIGHTEST)}"))
    table((_verdict(each), each.name, each.detail) for each in checks)
    failed = [each for each in checks if not each.ok]
    _list("Fixes:", (f"{each.name}: {each.hint}" for each in failed if each.hint))
    noted = [each for each in checks if each.ok and each.advice]
    _list("Optional:", (f"{each.name}: {each.advice}" for each in noted))
    return 1 if failed else 0


def _verdict(check: Check) -> str:
    if not check.ok:
        return "FAILED"
    return "note" if check.advice else "ok"


def _list(title: str, lines: Iterable[str]) -> None:
    once = dict.fromkeys(lines)
    if once:
        print(f"\n{title}", *once, sep="\n  ")


def _compiled_core() -> Check:
    name = "compiled core"
    try:
        from parallel_pool import _core
    except ImportError as error:
        return Check(name, False, str(error), "pip install --force-reinstall parallel-pool")
    abi = ".".join(map(str, _core.ABI_VERSION))
    return Check(name, True, f"plugin ABI {abi}")


def _plugin(plugin: Plugin, try_library: bool) -> Iterator[Check]:
    name = f"plugin {plugin.family}"
    origin = f"{plugin.distribution} {plugin.version}".strip()
    if plugin.status == "disabled":
        yield Check(name, True, f"{origin}: {plugin.reason}")
        return
    load(plugin)
    if plugin.status == "failed":
        yield Check(name, False, f"{origin}: {plugin.reason}")  # the reason names its remedy
        return
    facts = f"{plugin.env_count} environments in {plugin.seconds * 1000:.0f} ms"
    yield Check(name, True, f"{origin}: {facts}")
    for problem in plugin.problems:
        yield Check(name, False, problem.reason, f"pip install --upgrade {plugin.distribution}")
    for note in plugin.notes:
        yield Check(name, True, f"note: {note}")
    # Nothing is wrong: most people have no use for them.
    without = Counter(spec.removed for spec in plugin.specs.values() if spec.needs and spec.removed)
    for reason, count in without.items():
        yield Check(f"{name}: files", True, f"without them {count} ids do not work: {reason}")
    loads = False
    if try_library and any(spec.backend == "native" for spec in plugin.specs.values()):
        loaded = library(plugin)
        loads = loaded.ok
        yield loaded
    for check in hooks.checks(plugin):
        yield Check(f"{name}: {check.name}", check.ok, check.detail, check.hint)
    if loads and (stepped := step(plugin)) is not None:
        yield stepped
