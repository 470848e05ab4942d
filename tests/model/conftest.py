import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES

sys.path.insert(0, str(Path(__file__).parent))  # drift, reference_pool, reading


@pytest.fixture(scope="session")
def drift_library(compiled: Callable[[Path], Path]) -> None:
    from test_envs.pools import register_all

    register_all(compiled(SOURCES / "drift.cpp"))
