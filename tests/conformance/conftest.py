"""The environments with mistakes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import parallel_pool
import pytest
from conformance.findings import hurry
from conformance.mistakes import DRAWN
from parallel_pool.plugin_api import EnvSpec
from test_envs.pools import register_all

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def known(compiled: Callable[[Path], Path]) -> Callable[[str], None]:
    """Has the environments of a library made known, once."""

    @functools.cache
    def know(family: str) -> None:
        library = compiled(HERE / f"{family}.cpp")
        register_all(library, DRAWN)
        if family == "deadly":
            limited = EnvSpec("deadly/Limited-v0", native="deadly/Sound-v0", max_episode_steps=100)
            parallel_pool.register(limited, library=library)

    return know


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks take the time that finding these mistakes needs."""
    hurry(monkeypatch)
