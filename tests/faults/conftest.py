import pytest


@pytest.fixture(autouse=True)
def _libraries(zoo_library: str, faulty_library: str) -> None:
    """Tests here use the zoo and what misbehaves by order, in processes of their own."""
