"""Fails where tests/long.txt (docs/testing.md) names no test: one that was renamed would be long no more.

python tools/long_tests.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONG = ROOT / "tests/long.txt"


def main() -> int:
    """1 if there is one."""
    failed = False
    for line in LONG.read_text("utf-8").splitlines():
        file, *_, name = line.split("::")
        path = ROOT / file
        if not path.is_file() or f"def {name}(" not in path.read_text("utf-8"):
            print(f"error: {LONG.relative_to(ROOT)} has {line}, and there is no such test")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
