"""Everything that the conformance kit asks of a plugin."""

from typing import ClassVar

import pytest
from parallel_pool.testing import PluginConformance
from parallel_pool_minigrid._plugin import ENVS

ALWAYS = ("DynamicObstacles-v0", "BabyAI-LevelGen-v0")
NATIVES = tuple(env.id for env in ENVS if env.native_id == env.id and env.removed is None)


@pytest.mark.usefixtures("quick_kit")
class TestMinigrid(PluginConformance):
    plugin = "minigrid"
    env_ids = tuple(f"minigrid/{name}" for name in ALWAYS)


@pytest.mark.slow
class TestAllOfMinigrid(PluginConformance):
    plugin = "minigrid"
    env_ids: ClassVar[tuple[str, ...]] = NATIVES
