from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES, compile_plugin

Build = Callable[..., str]


@pytest.fixture
def plain(tmp_path: Path) -> Build:
    """Compiles the plugin in plain C with some of its head replaced; gives the path."""
    number = count()

    def build(*defines: str) -> str:
        output = tmp_path / f"plain{next(number)}.so"
        return str(compile_plugin(SOURCES / "plain.c", output, *defines))

    return build
