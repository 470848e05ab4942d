import pytest


@pytest.fixture(autouse=True)
def _test_envs(test_envs: None) -> None:
    """Every test here uses the environments of test_envs.cpp."""
