import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # twins


@pytest.fixture(autouse=True)
def _test_envs(test_envs: None) -> None:
    """Every test here uses the environments of test_envs.cpp."""
