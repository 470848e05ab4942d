"""Runs a notebook from top to bottom without Jupyter, and keeps what its cells print and show.

python tools/notebook.py examples/notebooks/first_policy.ipynb    # writes the outputs into it

Cells that begin with % are not run: they install.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Shown:
    """Stands for IPython's Image: a picture in a file."""

    def __init__(self, name: str) -> None:
        self.name = Path(name).absolute()


def played(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every cell, those of code with what they give. Files of cells are in the current folder."""
    display = types.ModuleType("IPython.display")
    display.Image = Shown  # type: ignore[attr-defined]
    before = dict(sys.modules)
    sys.modules |= {"IPython": types.ModuleType("IPython"), "IPython.display": display}
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    try:
        for number, cell in enumerate(notebook["cells"]):
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and not source.startswith("%"):
                count += 1
                outputs = list(outputs_of(source, f"cell {number}", names))
                yield {**cell, "execution_count": count, "outputs": outputs}
            else:
                yield cell
    finally:
        for name in ("IPython", "IPython.display"):
            sys.modules.pop(name)
            if name in before:
                sys.modules[name] = before[name]


def outputs_of(source: str, name: str, names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a cell prints, and the picture that its last line is."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)
        value = last and eval(compile(ast.Expression(last.value), name, "eval"), names)
    if text := printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
    if isinstance(value, Shown):
        data = base64.b64encode(value.name.read_bytes()).decode()
        yield {
            "data": {"image/gif": data},
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
