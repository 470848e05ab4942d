"""Pools in compiled programs. Without JAX they are skipped, unless PP_LIBRARIES says that it is to be there."""

import os

import pytest

if not os.environ.get("PP_LIBRARIES"):
    pytest.importorskip("jax", reason="JAX is missing: uv run --isolated --group learners pytest")
else:
    import jax  # noqa: F401


@pytest.fixture(autouse=True)
def _test_envs(test_envs: None) -> None:
    """Every test here may use the environments of test_envs.cpp."""
