"""Every test here is run twice: in this process and in worker processes."""

import sys
from collections.abc import Callable
from pathlib import Path

import parallel_pool
import pytest
from parallel_pool import _core
from parallel_pool.plugin_api import EnvSpec
from test_envs.compiling import SOURCES
from test_envs.inspectable_pools import WHERE


@pytest.fixture(scope="session", autouse=True)
def inspectable(compiled: Callable[[Path], Path]) -> str:
    path = compiled(SOURCES / "inspectable.cpp")
    for env_id in _core.Plugin(str(path)).env_ids:
        spec = EnvSpec(env_id, render_modes=("rgb_array", "ansi"), render_fps=5)
        parallel_pool.register(spec, library=str(path))
    return str(path)


@pytest.fixture(params=[None, "process"], ids=["here", "in_workers"], autouse=True)
def isolation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "process" and sys.platform != "linux":
        pytest.skip("worker processes need Linux")
    monkeypatch.setitem(WHERE, "isolation", request.param)
