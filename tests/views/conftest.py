import pytest


@pytest.fixture(autouse=True)
def _zoo(zoo: None) -> None:
    """Every test here uses the zoo."""
