"""Nothing that has a lock is shared across a fork: docs/author-reference.md, "What a process shares"."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCKS = {"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore", "Event", "Barrier"}
STATIC = re.compile(
    r"^\s*(?:inline )?static (?!thread_local).*std::(?:\w*mutex|once_flag|condition_variable)\b"
)
SOURCES = ("core/include", "core/src", *(f"plugins/*/{each}" for each in ("include", "src")))


def names(node: ast.AST) -> set[str]:
    """What is called by its name or as an attribute, in the node."""
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return {getattr(each, "attr", getattr(each, "id", "")) for each in calls}


def locks_of_modules(path: Path) -> Iterator[str]:
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and LOCKS & names(statement):
            yield f"{path}:{statement.lineno}: a lock of all forked children"


def test_no_module_has_a_lock() -> None:
    found: list[str] = []
    for folder in (ROOT / "core/python", *ROOT.glob("plugins/*/python")):
        for path in folder.rglob("*.py"):
            if "template" in path.parts:
                continue
            found += locks_of_modules(path)
            if re.search(
                r"^\s*@(functools\.)?cached_property", path.read_text(encoding="utf-8"), re.M
            ):
                found.append(f"{path}: functools.cached_property has a lock; see computed_once.py")
    assert not found


def test_no_static_variable_has_a_lock() -> None:
    files = [
        path
        for pattern in SOURCES
        for folder in ROOT.glob(pattern)
        for path in folder.rglob("*")
        if path.suffix in (".hpp", ".cpp", ".h")
    ]
    assert files
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if STATIC.search(line) and "PerProcess<" not in line
    ]
    assert not found
