import parallel_pool
import pytest
from parallel_pool import EnvSpec


@pytest.fixture(autouse=True)
def _presets(test_envs: None) -> None:
    """More ids for one native environment, as games are."""
    for name, options, limit in (
        ("Few-v0", {"buttons": 2}, None),
        ("Many-v0", {"buttons": 5}, None),
        ("FewToo-v0", {"buttons": 2, "reach": 4.0}, None),
        ("Short-v0", {"buttons": 2}, 7),
    ):
        spec = EnvSpec(
            f"test/{name}", native="test/Mixed-v0", options=options, max_episode_steps=limit
        )
        parallel_pool.register(spec)
