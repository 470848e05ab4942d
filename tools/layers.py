"""The layers of the tree, and what breaks them. Their picture: layers_picture.py.

uv run python tools/layers.py

Imports and includes point downwards: a file may use its own folder and those below it, never one above.
Lazy imports and those under TYPE_CHECKING count too. Nothing goes round in a circle. Plugins use what authors
of others may use: the public parts of the core, and those of plugins that they require. Of other objects than
self they use no name with an underscore that is of the core and not their own. Core names no family and no
engine (NAMES_ALLOWED). Prints what breaks these rules. tests/layers runs it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from dependencies import (
    CPP_SUFFIXES,
    PLUGIN,
    RELATIVE,
    ROOT,
    Edges,
    cpp_edges,
    imports_of,
    includes_of,
    plugin_edges,
    plugin_imports,
    plugin_includes,
    private_names,
    python_edges,
    python_files,
)
from families import families, required

PYTHON_LAYERS: Sequence[tuple[str, ...]] = (
    (
        "errors",
        "pool_errors",
        "ids",
        "caller",
        "progress",
        "per_process",
        "computed_once",
    ),
    ("imports",),
    ("plugin_api",),
    ("schema",),
    ("_core",),
    ("threads",),
    ("registry",),
    ("config",),
    ("workers",),
    ("rendering",),
    ("configure",),
    ("tensors",),
    ("views",),
    ("author_api", "native_checks", "pool_api"),
    ("evaluating", "making"),
    ("gymnasium",),
    ("envpool", "moved", "pettingzoo", "testing"),
    ("",),  # the package itself: what users import
    ("benchmarking",),
    ("cli",),
)
"""Folders and modules of parallel_pool, the lowest first."""

CPP_LAYERS: Sequence[tuple[str, ...]] = (
    ("abi.h",),
    ("dtypes.hpp", "per_process.hpp"),
    ("ext",),
    ("rng", "rng.hpp"),
    ("sdk", "env.hpp"),
    ("sdk/pixels",),
    ("host/base",),
    ("host/threads",),
    ("host/plugin",),
    ("host/config",),
    ("host/batch",),
    ("host/state",),
    ("host/step",),
    ("host/run",),
    ("host/workers",),
    ("host/pool.hpp",),
    ("src/base",),
    ("src/plugin",),
    ("src/workers",),
    ("src/actions",),
    ("src/results",),
    ("src/xla",),
    ("src/conformance",),
    ("src/pool",),
    ("src",),
)
"""Folders and files of core/include/parallel_pool, and core/src, the lowest first."""

APART = ("host", "src"), ("sdk", "env.hpp")
"""(folder, what it may not include though it is below): the host knows nothing of how plugins are written."""
SHARED = "sdk/pixels/"
"""The host may include it all the same: arithmetic with pictures, which knows of no environment."""

PLUGINS_INCLUDE = (
    "abi.h",
    "dtypes.hpp",
    "env.hpp",
    "per_process.hpp",
    "rng.hpp",
    "sdk/",
    "rng/",
    "ext/",
)
PLUGINS_IMPORT = (
    "",
    "author_api",
    "errors",
    "native_checks",
    "plugin_api",
    "pool_api",
    "testing",
)
ENGINES = ("ALE", "ale_py", "Stella", "MuJoCo", "dm_control", "MJX", "Doom")
"""Names, in any case, that core does not say, as it does not say those of families."""
CORE_SOURCES = ("include", "src", "python", "cmake")
NAMES_ALLOWED = {
    "python/parallel_pool/registry/first_party.py": "the owner of each family, and the lightest one",
    "python/parallel_pool/registry/first_party_ids.json": "the ids of each family, for the extra to install",
    "python/parallel_pool/registry/envpool_families.py": "EnvPool's families that have no plugin",
} | dict.fromkeys(
    (f"python/parallel_pool/{each}.py" for each in ("gymnasium", "ids", "making")),
    "ids in examples that a user can run",
)
"""Files of core that may say the name of a family or an engine, and what for."""


def layer_of(name: str, layers: Sequence[tuple[str, ...]], separator: str) -> int | None:
    """The number of the layer that a file or module is in: of the longest entry it lies below."""
    best: tuple[int, int] | None = None
    for number, layer in enumerate(layers):
        for entry in layer:
            if (name == entry or name.startswith(entry + separator)) and (
                best is None or len(entry) > best[0]
            ):
                best = (len(entry), number)
    return None if best is None else best[1]


def upward(edges: Edges, layers: Sequence[tuple[str, ...]], separator: str) -> Iterator[str]:
    """Files that use what is above them, and files in no layer."""
    for name in sorted(edges):
        own = layer_of(name, layers, separator)
        if own is None:
            yield f"{name or 'parallel_pool'}: in no layer; give it one in tools/layers.py"
            continue
        for used in sorted(edges[name]):
            other = layer_of(used, layers, separator)
            if other is None and (used == RELATIVE or used in edges):
                yield f"{name or 'parallel_pool'} uses {used}, which is in no layer"
            if other is not None and other > own:
                yield f"{name or 'parallel_pool'} uses {used or 'parallel_pool'}, which is above it"


def circles(edges: Edges) -> list[list[str]]:
    """Groups of files that use each other round in a circle (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for used in sorted(edges[name] & edges.keys()):
            if used not in index:
                visit(used)
                low[name] = min(low[name], low[used])
            elif used in stack:
                low[name] = min(low[name], index[used])
        if low[name] == index[name]:
            group = []
            while not group or group[-1] != name:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10 * len(edges) + 1000))
    for name in sorted(edges):
        if name not in index:
            visit(name)
    return found


def plugin_violations() -> Iterator[str]:
    """What plugins, templates and the examples of third parties use that authors of others should not."""
    known = dict.fromkeys(python_edges(), True)
    core: set[str] = set().union(*(private_names(path)[0] for path in python_files()))
    examples = sorted(each for each in (ROOT / "examples/third_party").iterdir() if each.is_dir())
    for plugin in [*sorted((ROOT / "plugins").glob("parallel_pool_*")), *examples]:
        own = [path for path in sorted(plugin.rglob("*")) if path.is_file()]
        own = [path for path in own if not {"tests", "build"} & set(path.relative_to(plugin).parts)]
        others = {f"parallel_pool_{each}" for each in _required_by(plugin)}
        names = {
            path: private_names(path)
            for path in own
            if path.suffix == ".py" and "template" not in path.parts
        }
        private = core.difference(*(defined for defined, _ in names.values()))
        for path in own:
            if path in names:
                yield from _wrong_imports(path, plugin, others, known)
                for name in sorted(names[path][1] & private):
                    yield f"{path.relative_to(ROOT)} uses {name}, which is private in parallel_pool"
            elif path.suffix in CPP_SUFFIXES:
                yield from _wrong_includes(path, plugin, others)
        for group in circles(plugin_edges(plugin)):
            yield f"a circle in {plugin.name}: " + ", ".join(group)


def _required_by(plugin: Path) -> tuple[str, ...]:
    path = plugin / "pyproject.toml"
    return required(tomllib.loads(path.read_text(encoding="utf-8"))) if path.is_file() else ()


def _wrong_imports(
    path: Path, plugin: Path, others: Collection[str], known: Mapping[str, bool]
) -> Iterator[str]:
    where = path.relative_to(ROOT)
    for used in sorted(imports_of(path, known)):
        if used != RELATIVE and used.split(".")[0] not in PLUGINS_IMPORT:
            yield f"{where} imports parallel_pool.{used}".rstrip(".")
    offered = not any(
        part.startswith("_") for part in path.relative_to(plugin).with_suffix("").parts
    )
    for used in sorted(plugin_imports(path)):
        match = PLUGIN.fullmatch(used)
        other, private = (match[1], f".{match[2]}".count("._") > 0) if match else ("", False)
        if other != plugin.name and other not in others:
            yield f"{where} imports {other}, which is another plugin and not required by it"
        elif private and (other != plugin.name or offered):
            yield f"{where} imports {used}, which is not for other plugins"


def _wrong_includes(path: Path, plugin: Path, others: Collection[str]) -> Iterator[str]:
    where = path.relative_to(ROOT)
    for used in sorted(includes_of(path)):
        if not used.startswith(PLUGINS_INCLUDE):
            yield f"{where} includes {used}"
    for used in sorted(plugin_includes(path)):
        if used.partition("/")[0] not in {plugin.name, *others}:
            yield f"{where} includes {used} of a plugin that its build does not require"
    if "include" in path.relative_to(plugin).parts:
        for used in re.findall(r'#include "(.*)"', path.read_text(encoding="utf-8")):
            if not used.startswith(("parallel_pool/", "parallel_pool_")):
                yield f"{where} includes {used}, which is not for other plugins"


def forbidden_names() -> Iterator[str]:
    """Where core says the name of a family or of an engine, in code or in what explains it."""
    # Also within MujocoError and pp_mujoco_model, but not within SCALE or alert.
    names = "|".join([*families(), *ENGINES])
    word = re.compile(rf"(?<![A-Za-z])(?i:{names})(?![a-z])(?!(?<=[A-Z])[A-Z])")
    for path in sorted(path for each in CORE_SOURCES for path in (ROOT / "core" / each).rglob("*")):
        inside = path.relative_to(ROOT / "core").as_posix()
        if not path.is_file() or path.suffix in (".pyc", ".so") or inside in NAMES_ALLOWED:
            continue
        said = [match.group(0) for match in word.finditer(path.read_text(encoding="utf-8"))]
        for name in dict.fromkeys([*said, *(each.group(0) for each in word.finditer(inside))]):
            yield f"core/{inside} says {name!r}"


def violations() -> list[str]:
    """Everything that breaks the rules, a line each; empty where the tree is in order."""
    python, cpp = python_edges(), cpp_edges()
    found = [*upward(python, PYTHON_LAYERS, "."), *upward(cpp, CPP_LAYERS, "/")]
    hosts, theirs = APART
    for name in sorted(cpp):
        if layer_of(name, [hosts], "/") is not None:
            found += [
                f"{name} includes {used}, which is for plugins"
                for used in sorted(cpp[name])
                if layer_of(used, [theirs], "/") is not None and not used.startswith(SHARED)
            ]
    for group in [*circles(python), *circles(cpp)]:
        found.append("a circle: " + ", ".join(each or "parallel_pool" for each in group))
    return [*found, *plugin_violations(), *forbidden_names()]


def main() -> int:
    """Prints the violations; how many there are decides the exit status."""
    found = violations()
    print("\n".join(found) or "nothing breaks the layers")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
