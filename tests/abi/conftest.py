from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from parallel_pool import _core, get_include
from parallel_pool.registry import Registry
from test_envs.compiling import compile_plugin

Build = Callable[..., str]


@pytest.fixture
def no_plugins(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The registry is empty, and again after each call: to read those that are installed takes long."""

    def empty() -> None:
        monkeypatch.setattr("parallel_pool.registry.process._registry", Registry([]))

    empty()
    return empty


@pytest.fixture
def plain(tmp_path: Path) -> Build:
    """Compiles today's plugin of frozen_abi with some of its head replaced; gives the path."""
    (source,) = Path(__file__).parent.glob("frozen_abi/v{}_{}/plugin.c".format(*_core.ABI_VERSION))
    include = f"{get_include()}/parallel_pool"
    number = count()

    def build(*defines: str) -> str:
        output = tmp_path / f"plain{next(number)}.so"
        return str(compile_plugin(source, output, *defines, include=include))

    return build
