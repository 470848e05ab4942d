"""`parallel-pool index`: writes the index of a plugin, which is listed from it without being imported.

Builds call it (parallel_pool_add_plugin); docs/abi.md describes the file.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import astuple, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parallel_pool.errors import OptionError, ParallelPoolError, PluginError
from parallel_pool.plugin_api import About, EnvSpec, places
from parallel_pool.registry import Plugin, hooks, plugin_index, registry
from parallel_pool.registry.acceptance import accept
from parallel_pool.registry.loading import GROUP, attach, load

if TYPE_CHECKING:
    from parallel_pool import _core


def add_parser(subparsers: Any) -> None:
    """Declare the command's arguments."""
    says = "write what a plugin offers into a file beside its library (builds do it)"
    parser = subparsers.add_parser("index", help=says)
    parser.add_argument("plugin", help="a family that is installed, or the path of a built library")
    parser.add_argument(
        "--project",
        metavar="FOLDER",
        type=Path,
        help="where the plugin's pyproject.toml is: with a path, or before what has no library is installed",
    )
    says = "write nothing; exit status 1 unless equal"
    parser.add_argument("--check", action="store_true", help=says)


def run(args: argparse.Namespace) -> int:
    """Write FAMILY.envs.json beside the library, or into the package of a plugin that uses another's.

    With --check compare it. Raises PluginError, OptionError.
    """
    from parallel_pool import _core

    library = Path(args.plugin).absolute()
    if library.is_file():
        loaded = _core.Plugin(str(library))
        plugin, package = _of_project(loaded.name, args.project)
    else:
        folder = args.project
        plugin, package = _of_project(args.plugin, folder) if folder else _installed(args.plugin)
        library = hooks.library_path(plugin)
        loaded = _core.Plugin(str(library))
    if not load(plugin):
        raise PluginError(f"plugin {plugin.label} cannot be used: {plugin.reason}")
    own: Path | None = library
    folder = library.parent
    if package is not None and loaded.name != plugin.family:
        own, folder = None, package
    path = folder / (plugin.family + plugin_index.SUFFIX)
    text = _text(plugin, loaded, own, package)
    if args.check:
        equal = path.is_file() and plugin_index.equal(path.read_text("utf-8"), text)
        print(f"{path} {'is' if equal else 'is not'} what the plugin says")
        return int(not equal)
    # A file of its own: installers link those of several environments to one.
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)
    print(path)
    return 0


def _of_project(family: str, folder: Path | None) -> tuple[Plugin, Path | None]:
    """The plugin of a family, as its pyproject.toml says it; and the folder of its Python."""
    if folder is None:
        plugin = Plugin(family, "no Python", "", module="")
        attach(plugin, object())
        return plugin, None
    folders = (folder.absolute(), *folder.absolute().parents)
    folder = next((each for each in folders if (each / "pyproject.toml").is_file()), folders[0])
    table = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    project = table.get("project", {})
    points = project.get("entry-points", {}).get("parallel_pool", {})
    if family not in points:
        raise OptionError(
            f"{folder / 'pyproject.toml'} has no entry point {family!r} in the group parallel_pool: it has to "
            "have the name of the family, which is also the first argument of PP_PLUGIN"
        )
    plugin = Plugin(family, project["name"], "", module=points[family])
    top = plugin_index.package_of(plugin.module)
    wheel = table.get("tool", {}).get("scikit-build", {}).get("wheel", {})
    usual = f"python/{top}", f"src/{top}", top
    packages = (folder / each for each in (*wheel.get("packages", ()), *usual))
    package = next((each for each in packages if each.is_dir() and each.name == top), None)
    if package is None:
        raise OptionError(f"{folder} has no Python package {top}, which its entry point names")
    sys.path.insert(0, str(package.parent))
    return plugin, package


def _installed(family: str) -> tuple[Plugin, Path | None]:
    """An installed plugin, whatever its present index is, and the folder of its Python."""
    found = next(iter(entry_points(group=GROUP, name=family)), None)
    if found is None or found.dist is None:
        return registry().plugin(family), None  # raises
    folders = places(plugin_index.package_of(found.value))
    package = next((each for each in folders if any(each.glob("*.py"))), None)
    return Plugin(family, found.dist.name, found.dist.version, found.value), package


def _text(plugin: Plugin, loaded: "_core.Plugin", own: Path | None, package: Path | None) -> str:
    """own: the library, if it is the plugin's own."""
    specs, described = [], {}
    for spec in _listed(plugin, loaded):
        said = {}
        if spec.backend == "native" and not spec.removed:
            said = _description(plugin, spec, loaded)
            facts = _facts(spec, loaded, said).items()
            spec = replace(spec, **{n: fact for n, fact in facts if getattr(spec, n) in (None, "")})
        specs.append(spec)
        described[spec.id] = {} if spec.removed else dict(_described(plugin, spec, said))
    natives = {
        native: {name: loaded.declaration(native)[name] for name in ("options", "reset_options")}
        for native in loaded.env_ids
    }
    try:
        return plugin_index.text_of(specs, own, hooks.old_ids(plugin), natives, described, package)
    except (TypeError, AttributeError) as error:
        raise PluginError(
            f"plugin {plugin.label}: an option of an EnvSpec cannot be written into an index: {error}. Use "
            "texts, numbers and lists"
        ) from error


def _listed(plugin: Plugin, library: "_core.Plugin") -> list[EnvSpec]:
    """What the plugin lists; without such a hook, all that its library has."""
    if "parallel_pool_envs" not in hooks.names(plugin):
        return [EnvSpec(each) for each in library.env_ids]
    listed: list[Any] = hooks.list_envs(plugin)
    _, reasons = accept(plugin.family, listed)
    if reasons:
        raise PluginError(f"plugin {plugin.label}: {'; '.join(reasons)}")
    return listed


def _description(plugin: Plugin, spec: EnvSpec, library: "_core.Plugin") -> dict[str, Any]:
    """What the library says of an environment; nothing where this machine, such as a file, decides it."""
    with suppress(ParallelPoolError, ValueError):
        said = library.describe(spec.native_id, dict(spec.options))
        given = hooks.translate_options(plugin, spec, {})
        if hooks.complete_options(plugin, spec, given)[0] == spec.options:
            return said
    return {}


def _facts(spec: EnvSpec, library: "_core.Plugin", said: dict[str, Any]) -> dict[str, Any]:
    """Its summary; and the limit and the threshold, where the options of `make` do not change them."""
    declared = library.declaration(spec.native_id)
    # No limit is 0, and no threshold is NaN, which equals nothing.
    none = {"max_episode_steps": 0, "reward_threshold": None}
    found = {name: said[name] for name in none if said and said[name] == said[name] != none[name]}
    for each in declared["options"] if found else ():
        value = spec.options.get(each["name"], each["default"])
        others = (False, True) if each["kind"] == "bool" else each["choices"]
        for other in (value - 1, value + 1) if each["kind"] in ("int", "float") else others:
            with suppress(ValueError):  # out of range
                changed = library.describe(spec.native_id, {**spec.options, each["name"]: other})
                found = dict(found.items() & changed.items())
    return {"summary": declared["summary"], **found}


def _described(plugin: Plugin, spec: EnvSpec, said: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is no part of the EnvSpec. said: what the library says of the environment."""
    if said:
        fields = [{**each, "dtype": str(each["dtype"])} for each in said["fields"]]
        yield "description", {**said, "fields": fields}
    with suppress(PluginError):  # a hook that needs files
        about = hooks.about(plugin, spec) or About(of_files=hooks.ABOUT)
        for name in (each for each in hooks.ABOUT if each not in about.of_files):
            value = getattr(about, name)
            yield name, value if isinstance(value, str) else [*map(astuple, value)]
