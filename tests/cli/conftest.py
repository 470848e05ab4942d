from pathlib import Path

import pytest
from parallel_pool_author.cli.scaffold import write_plugin


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The folder of a plugin as `parallel-pool new` writes it."""
    return write_plugin({"family": "lander", "author": "Ada"}, tmp_path)


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
