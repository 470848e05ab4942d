"""Results as tensors. Without torch they are skipped, unless PP_LIBRARIES says that it is to be there."""

import pytest
from test_envs.libraries import needed

needed("torch")
from learners.tensors.late_device import pool_on as pool_on  # noqa: E402


@pytest.fixture(autouse=True)
def _test_envs(test_envs: None) -> None:
    """Every test here may use the environments of test_envs.cpp."""
