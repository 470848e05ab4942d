"""Results as tensors. Without torch they are skipped, unless PP_LIBRARIES says that it is to be there."""

from test_envs.libraries import needed
from test_envs.pools import use_test_envs as use_test_envs

needed("torch")
from learners.tensors.late_device import pool_on as pool_on  # noqa: E402
