"""The Python blocks of a page, each run alone, as a reader would who copies one."""

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"

BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"# (python|src|tests)/\S+\.\w+")
"""The first line of a block that is a file of a reader's plugin."""


def blocks(page: Path) -> list[str]:
    """The programs of a page, in docs/ or the README."""
    found = [block for block in BLOCK.findall(page.read_text("utf-8")) if not FILE.match(block)]
    assert found, f"{page.name} has no code"
    return found


def run(page: Path) -> dict[str, Any]:
    """Runs the blocks of a page, each alone; endless loops turn three times.

    Returns:
        The names of all blocks. Pools are closed.
    """
    together: dict[str, Any] = {}
    for number, block in enumerate(blocks(page), 1):
        names: dict[str, Any] = {"__name__": "__main__"}
        source = block.replace("while True:", "for _ in range(3):")
        try:
            exec(compile(source, f"{page.name}, block {number}", "exec"), names)
        finally:
            for pool in filter(is_pool, names.values()):
                pool.close()
        together |= names
    return together


def is_pool(value: object) -> bool:
    """Whether it is something that steps, not a class of such."""
    return hasattr(value, "async_reset") and not isinstance(value, type)
