"""Everything that the conformance kit asks of a plugin, with Gymnasium's environments as originals."""

from typing import ClassVar

import pytest
from parallel_pool.testing import PluginConformance


@pytest.mark.usefixtures("quick_kit")
class TestBox2d(PluginConformance):
    plugin = "box2d"
    env_ids = ("box2d/LunarLander-v3",)
    references: ClassVar[dict[str, str]] = {"box2d/LunarLander-v3": "LunarLander-v3"}


@pytest.mark.slow
class TestAllOfBox2d(PluginConformance):
    plugin = "box2d"
    names = ("LunarLander-v3", "LunarLanderContinuous-v3", "BipedalWalker-v3")
    env_ids = tuple(f"box2d/{name}" for name in names)
    references: ClassVar[dict[str, str]] = dict(zip(env_ids, names, strict=True))


@pytest.mark.slow
class TestRaces(PluginConformance):
    plugin = "box2d"
    env_ids = ("box2d/CarRacing-v3", "box2d/CarRacingDiscrete-v3")
    options: ClassVar[dict[str, dict[str, object]]] = {
        name: {"domain_randomize": True, "frame_skip": 2} for name in env_ids
    }
