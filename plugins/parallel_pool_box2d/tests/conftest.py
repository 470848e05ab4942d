import ctypes
from pathlib import Path

import pytest
from test_envs.originals import fixture_of

beside = fixture_of("box2d", "gymnasium", "numpy", "pygame-ce")


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest) -> ctypes.CDLL:
    """The library that the module names as its DRIVER."""
    name: str = request.module.DRIVER
    built = list(Path(__file__).parent.parent.glob(f"build/**/{name}.*"))
    assert built, f"no {name} library; it is built with the plugin: uv sync"
    return ctypes.CDLL(str(max(built, key=lambda path: path.stat().st_mtime)))
