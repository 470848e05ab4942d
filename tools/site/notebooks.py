"""A notebook as a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def as_markdown(text: str) -> str:
    """text: of the file. Cells with their outputs."""
    return "\n\n".join(part for cell in json.loads(text)["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    # The language of `%pip` is not Python.
    yield f"```{'text' if source.startswith('%') else 'python'}\n{source}\n```"
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            yield f"```text\n{''.join(output['text'])}```"
        for kind, data in output.get("data", {}).items():
            yield f'<img src="data:{kind};base64,{data}" alt="what the cell shows">'
