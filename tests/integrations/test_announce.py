"""The code of the texts for other projects (docs/announce) runs as it stands."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest
from test_envs.code_blocks import BLOCK, DOCS

PAGES = [
    page
    for page in sorted((DOCS / "announce").glob("*.md"))
    if BLOCK.search(page.read_text("utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_text_runs(page: Path) -> None:
    module = page.stem.replace("-", "_")
    if importlib.util.find_spec(module) is None and "PP_LIBRARIES" not in os.environ:
        pytest.skip(f"{module} is not here")
    for block in BLOCK.findall(page.read_text("utf-8")):
        exec(compile(block, page.name, "exec"), {"__name__": "__main__"})
