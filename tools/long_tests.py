"""The names of the long tests, of tests/long.txt (docs/testing.md).

python tools/long_tests.py    # fails where one names no test: a test that was renamed would be long no more
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests/long.txt"
NAMES = frozenset(LIST.read_text("utf-8").splitlines())
"""Of test functions, as pytest has them."""


def main() -> int:
    """1 if there is one."""
    failed = False
    for each in sorted(NAMES):
        file, *_, name = each.split("::")
        path = ROOT / file
        if not path.is_file() or f"def {name}(" not in path.read_text("utf-8"):
            print(f"error: {LIST.relative_to(ROOT)} has {each}, and there is no such test")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
