"""Results as tensors. Without torch they are skipped, unless PP_LIBRARIES says that it is to be there."""

import pytest
from test_envs.libraries import needed

needed("torch")


@pytest.fixture(autouse=True)
def _test_envs(test_envs: None) -> None:
    """Every test here may use the environments of test_envs.cpp."""
