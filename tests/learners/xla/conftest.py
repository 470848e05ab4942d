"""Pools in compiled programs. Without JAX they are skipped, unless PP_LIBRARIES says that it is to be there."""

import pytest
from test_envs.libraries import needed

needed("jax")


@pytest.fixture(autouse=True)
def _test_envs(test_envs: None) -> None:
    """Every test here may use the environments of test_envs.cpp."""


@pytest.fixture(params=["ffi", "callback"])
def backend(request: pytest.FixtureRequest) -> str:
    """Either way in which programs call pools."""
    kind: str = request.param
    return kind
