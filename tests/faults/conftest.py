import pytest


@pytest.fixture(autouse=True)
def _libraries(test_envs_library: str, faulty_library: str) -> None:
    """Tests here use test_envs.cpp and faulty.cpp, in processes of their own."""
