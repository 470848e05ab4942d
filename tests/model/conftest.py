"""The environment that the model predicts, compiled once per session."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # drift, reference_pool, reading


@pytest.fixture(scope="session")
def drift_library(tmp_path_factory: pytest.TempPathFactory) -> None:
    """drift/Drift-v0 and its variants can be made."""
    import parallel_pool
    from parallel_pool import _core
    from test_envs import compiling

    path = compiling.compile_plugin(
        compiling.SOURCES / "drift.cpp", tmp_path_factory.mktemp("drift") / "drift.so"
    )
    for env_id in _core.Plugin(str(path)).env_ids:
        parallel_pool.register(parallel_pool.EnvSpec(env_id), library=str(path))
