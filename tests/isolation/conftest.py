"""The environments of faulty.cpp and of test_envs.cpp can be made in worker processes."""

import pytest


@pytest.fixture(autouse=True)
def isolation(test_envs: None, faulty_library: str) -> None:
    pass
