"""How the commands print: aligned columns, no colours."""

import shutil
import sys
from collections.abc import Iterable, Sequence


def table(rows: Iterable[Sequence[str]], cut: bool = False) -> None:
    """Print rows of equally many cells, aligned; `cut` to the width if this is a terminal."""
    cells = [tuple(" ".join(cell.splitlines()) for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    limit = shutil.get_terminal_size().columns if cut and sys.stdout.isatty() else None
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(padded).rstrip()[:limit])
