"""The environments of crashing.cpp and of test_envs.cpp can be made in worker processes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES


@pytest.fixture(scope="session")
def crashing_library(compiled: Callable[[Path], Path]) -> None:
    os.environ["PP_CRASHING"] = str(compiled(SOURCES / "crashing.cpp"))


@pytest.fixture(autouse=True)
def isolation(test_envs: None, crashing_library: None) -> None:
    pass
