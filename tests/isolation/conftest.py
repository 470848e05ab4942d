"""The environments of tests/zoo/crashing.cpp, and the zoo's, can be made in worker processes."""

import os

import pytest


@pytest.fixture(scope="session")
def crashing_library(tmp_path_factory: pytest.TempPathFactory) -> None:
    import zookeeper

    path = tmp_path_factory.mktemp("crashing") / "crashing.so"
    zookeeper.compile_plugin(zookeeper.SOURCES / "crashing.cpp", path)
    os.environ["PP_CRASHING"] = str(path)


@pytest.fixture(autouse=True)
def isolation(zoo: None, crashing_library: None) -> None:
    pass
