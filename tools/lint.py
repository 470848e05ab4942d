"""Runs every linter that needs no build over the files that git knows; exits non-zero if one complains.

uv run --group lint python tools/lint.py [--fix]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLUGINS = sorted(ROOT.glob("plugins/*/python"))
PYTHON = ["core/python/parallel_pool", *(str(*each.iterdir()) for each in PLUGINS)]


def tracked(*patterns: str) -> list[str]:
    """Files under version control that match."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return [name for name in listing.stdout.split("\0") if name]


def main() -> int:
    """Runs them all, even after one has failed."""
    fix = "--fix" in sys.argv[1:]
    cpp = tracked("*.c", "*.h", "*.cpp", "*.hpp")
    # Frozen copies of released headers are never touched; templates are no C++ yet.
    cpp = [name for name in cpp if not {"frozen_abi", "template"} & set(Path(name).parts)]
    commands = [
        ["ruff", "format", *([] if fix else ["--check"]), "."],
        ["ruff", "check", *(["--fix"] if fix else []), "."],
        ["mypy", *PYTHON],
        ["clang-format", *(["-i"] if fix else ["--dry-run", "--Werror"]), *cpp],
        [sys.executable, "tools/lines.py"],
        [sys.executable, "tools/long_tests.py"],
    ]
    environment = os.environ | {"MYPYPATH": os.pathsep.join(map(str, PLUGINS))}
    failed = 0
    for command in commands:
        print("--", *command[:2], flush=True)
        failed |= subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
