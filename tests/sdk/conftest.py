from collections.abc import Callable
from pathlib import Path

import pytest
from parallel_pool import _core
from test_envs.pools import register_all


@pytest.fixture(scope="module")
def plugin(request: pytest.FixtureRequest, compiled: Callable[[Path], Path]) -> _core.Plugin:
    """The library that a module has beside it: overlap.cpp is that of test_overlap.py."""
    source = request.path.with_name(f"{request.path.stem.removeprefix('test_')}.cpp")
    return register_all(compiled(source))
