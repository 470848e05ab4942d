"""Runs a notebook from top to bottom without Jupyter, and keeps what its cells print and show.

python tools/notebook.py examples/notebooks/first_policy.ipynb    # writes the outputs into it

Cells that begin with % are not run: they install.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def played(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every cell, those of code with what they give. Files of cells are in the current folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and not source.startswith("%"):
            count += 1
            outputs = list(outputs_of(source, f"cell {number}", names))
            yield {**cell, "execution_count": count, "outputs": outputs}
        else:
            yield cell


def outputs_of(source: str, name: str, names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The outputs of a cell: what it prints, and the value of its last line."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)
        value = last and eval(compile(ast.Expression(last.value), name, "eval"), names)
    if text := printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
    if hasattr(value, "_repr_mimebundle_"):
        yield {
            "data": value._repr_mimebundle_(),
            "execution_count": None,
            "metadata": {},
            "output_type": "execute_result",
        }


def main() -> None:
    """Writes the outputs of a notebook into it."""
    path = Path(sys.argv[1]).absolute()
    notebook = json.loads(path.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        notebook["cells"] = list(played(notebook))
    path.write_text(json.dumps(notebook, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
