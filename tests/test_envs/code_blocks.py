"""The Python blocks of a page, run one after the other as a reader would, in one program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"

BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"# (python|src|tests)/\S+\.\w+")
"""The first line of a block that is a file of a reader's plugin."""


def run(page: Path, **names: Any) -> dict[str, Any]:
    """Runs the blocks of a page; endless loops turn three times.

    Args:
        page: in docs/, or the README.
        names: what the page takes for granted.

    Returns:
        All names at the end. Pools are closed.
    """
    found = [block for block in BLOCK.findall(page.read_text("utf-8")) if not FILE.match(block)]
    assert found, f"{page.name} has no code"
    pools = []
    try:
        for number, block in enumerate(found, 1):
            source = block.replace("while True:", "for _ in range(3):")
            exec(compile(source, f"{page.name}, block {number}", "exec"), names)
            pools += [each for each in names.values() if is_pool(each)]
    finally:
        for pool in pools:
            pool.close()
    return names


def is_pool(value: object) -> bool:
    """Whether it is something that steps, not a class of such."""
    return hasattr(value, "async_reset") and not isinstance(value, type)
