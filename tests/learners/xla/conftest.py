"""Pools in compiled programs. Without JAX they are skipped, unless PP_LIBRARIES says that it is to be there."""

import pytest
from test_envs.libraries import needed
from test_envs.pools import use_test_envs as use_test_envs

needed("jax")


@pytest.fixture(params=["ffi", "callback"])
def backend(request: pytest.FixtureRequest) -> str:
    """Either way in which programs call pools."""
    kind: str = request.param
    return kind
