"""The environment that the model predicts."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES

sys.path.insert(0, str(Path(__file__).parent))  # drift, reference_pool, reading


@pytest.fixture(scope="session")
def drift_library(compiled: Callable[[Path], Path]) -> None:
    import parallel_pool
    from parallel_pool import _core

    path = compiled(SOURCES / "drift.cpp")
    for env_id in _core.Plugin(str(path)).env_ids:
        parallel_pool.register(parallel_pool.EnvSpec(env_id), library=str(path))
