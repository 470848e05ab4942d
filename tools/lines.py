"""Counts the lines of the core and of the tests, and fails above the numbers in lines.toml.

python tools/lines.py

Lines are those of files of Python and C++ that git knows. The core is core/ without its tests; tests are
tests/, core/tests, the plugins' tests and conftest.py. What templates give to authors is neither. A commit that
raises a number says why.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = ROOT / "tools/lines.toml"
PATTERNS = ("*.py", "*.pyi", "*.hpp", "*.h", "*.cpp")
TEMPLATES = "plugins/*/python/*/template/*"


def part_of(name: str) -> str | None:
    """ "core", "tests", or None for what is neither."""
    first, *inside = name.split("/")
    if fnmatch(name, TEMPLATES) or (first not in ("core", "plugins", "tests") and inside):
        return None
    if "tests" in (first, *inside) or name == "conftest.py":
        return "tests"
    return "core" if first == "core" else None


def counted() -> Counter[str]:
    """By part: its lines."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *PATTERNS],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines: Counter[str] = Counter()
    for name in filter(None, listed.stdout.split("\0")):
        part, path = part_of(name), ROOT / name
        if part is not None and path.is_file():
            lines[part] += path.read_bytes().count(b"\n")
    return lines


def main() -> int:
    """1 where a part has more lines than it may have."""
    limits: dict[str, int] = tomllib.loads(LIMITS.read_text("utf-8"))
    lines = counted()
    for part, limit in limits.items():
        print(f"{part}: {lines[part]:,} lines of {limit:,}")
        if lines[part] > limit:
            print(f"error: {part} may have {limit:,} lines ({LIMITS.relative_to(ROOT)})")
    return int(any(lines[part] > limit for part, limit in limits.items()))


if __name__ == "__main__":
    sys.exit(main())
