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
    references: ClassVar[dict[str, str]] = {
        f"box2d/{name}": name
        for name in ("LunarLander-v3", "LunarLanderContinuous-v3", "BipedalWalker-v3")
    }
    options: ClassVar[dict[str, dict[str, object]]] = {
        f"box2d/{name}": {"domain_randomize": True, "frame_skip": 2}
        for name in ("CarRacing-v3", "CarRacingDiscrete-v3")
    }
    env_ids = (*references, *options)
