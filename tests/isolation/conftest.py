"""The environments of crashing.cpp and of test_envs.cpp can be made in worker processes."""

import os

import pytest


@pytest.fixture(scope="session")
def crashing_library(tmp_path_factory: pytest.TempPathFactory) -> None:
    from test_envs import compiling

    path = tmp_path_factory.mktemp("crashing") / "crashing.so"
    compiling.compile_plugin(compiling.SOURCES / "crashing.cpp", path)
    os.environ["PP_CRASHING"] = str(path)


@pytest.fixture(autouse=True)
def isolation(test_envs: None, crashing_library: None) -> None:
    pass
