"""Everything that the conformance kit asks of a plugin, with Gymnasium's environments as originals."""

from typing import ClassVar

from parallel_pool.testing import PluginConformance


class TestBox2d(PluginConformance):
    plugin = "box2d"
    references: ClassVar[dict[str, str]] = {
        "box2d/LunarLander-v3": "LunarLander-v3",
        "box2d/LunarLanderContinuous-v3": "LunarLanderContinuous-v3",
        "box2d/BipedalWalker-v3": "BipedalWalker-v3",
    }
