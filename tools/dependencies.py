"""Which file of this repository uses which: imports of Python, includes of C++. For tools/layers.py."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / "core/python"
HEADERS = ROOT / "core/include"
SOURCES = ROOT / "core/src"
CPP_SUFFIXES = (".h", ".hpp", ".c", ".cc", ".cpp", ".inc")

PLUGIN = re.compile(r"(parallel_pool_\w+)(?:[./](.+))?")
"""A module or header of a plugin; group 1 is the plugin."""

RELATIVE = "a module by a relative import, which is not looked into"

Edges = dict[str, set[str]]


def python_files() -> Iterator[Path]:
    """Those of the package."""
    package = PYTHON / "parallel_pool"
    yield from sorted([*package.rglob("*.py"), *package.rglob("*.pyi")])


def imports_of(path: Path, is_module: Mapping[str, bool]) -> set[str]:
    """The modules of parallel_pool that a file imports, wherever in it; "" for the package itself."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            found.add(RELATIVE)
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = node.module.split(".")
            if module[0] != "parallel_pool":
                continue
            for name in node.names:
                full = ".".join([*module[1:], name.name])
                found.add(full if full in is_module else ".".join(module[1:]))
        elif isinstance(node, ast.Import):
            for name in node.names:
                first, _, rest = name.name.partition(".")
                if first == "parallel_pool":
                    found.add(rest)
    return found


def python_edges() -> Edges:
    """Which module of parallel_pool imports which, by name in the package."""
    package = PYTHON / "parallel_pool"
    names = {}
    for path in python_files():
        parts = list(path.relative_to(package).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        names[".".join(parts)] = path
    return {
        name: imports_of(path, dict.fromkeys(names, True)) - {name} for name, path in names.items()
    }


def plugin_imports(path: Path) -> set[str]:
    """The modules of plugins that a file imports, wherever in it; for a name in a package, package.name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.update(f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            found.update(each.name for each in node.names)
    return {each for each in found if PLUGIN.fullmatch(each)}


def private_names(path: Path) -> tuple[set[str], set[str]]:
    """Names with one underscore: those that a file defines, and those that it reads of others than itself."""
    defined, used = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            own = ast.unparse(node.value) in ("self", "cls", "super()")
            if not own:
                used.add(node.attr)
            elif isinstance(node.ctx, ast.Store):
                defined.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            defined.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(node.name)
    private = re.compile("_[a-z]").match
    return set(filter(private, defined)), set(filter(private, used))


def plugin_includes(path: Path) -> set[str]:
    """The headers of plugins that a file includes by the plugin's name."""
    includes = INCLUDE.findall(path.read_text(encoding="utf-8"))
    return {each for each in includes if PLUGIN.fullmatch(each)}


def plugin_edges(plugin: Path) -> Edges:
    """Which module or header of a plugin uses which other of its own; templates are no Python yet."""
    edges: Edges = {}
    for path in plugin.glob("python/**/*.py"):
        if "template" in path.parts:
            continue
        edges[".".join(path.relative_to(plugin / "python").with_suffix("").parts)] = {
            name for each in plugin_imports(path) for name in (each, each.rpartition(".")[0])
        }
    for folder in (plugin / "include", plugin / "src"):
        for path in cpp_files(folder):
            edges[path.relative_to(folder).as_posix()] = set(
                INCLUDE.findall(path.read_text(encoding="utf-8"))
            )
    return edges


INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def cpp_edges() -> Edges:
    """Which header or source of core includes which; headers by their path below parallel_pool/."""
    edges: Edges = {}
    base = HEADERS / "parallel_pool"
    for path in cpp_files(base):
        edges[path.relative_to(base).as_posix()] = includes_of(path)
    for path in cpp_files(SOURCES):
        edges[f"src/{path.relative_to(SOURCES).as_posix()}"] = includes_of(path)
    return edges


def cpp_files(folder: Path) -> list[Path]:
    return sorted(each for each in folder.rglob("*") if each.suffix in CPP_SUFFIXES)


def includes_of(path: Path) -> set[str]:
    """What of core a file includes: by its path below parallel_pool/, or below src/."""
    found = set()
    for each in INCLUDE.findall(path.read_text(encoding="utf-8")):
        beside = (path.parent / each).resolve()
        if beside.is_file() and beside.is_relative_to(HEADERS / "parallel_pool"):
            found.add(beside.relative_to(HEADERS / "parallel_pool").as_posix())
        elif (SOURCES / each).is_file():
            found.add(f"src/{each}")
        elif each.startswith("parallel_pool/"):
            found.add(each.removeprefix("parallel_pool/"))
    return found
