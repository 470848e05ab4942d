"""Everything that the conformance kit asks of a plugin."""

from typing import ClassVar

import gymnasium
import pytest
from parallel_pool.testing import PluginConformance
from parallel_pool_classic._plugin import ENVS

NATIVES = [env.id for env in ENVS if env.native_id == env.id]
THEIRS = {
    each: name for each in NATIVES if (name := each.removeprefix("classic/")) in gymnasium.registry
}
assert len(THEIRS) == 9
PRESETS = ("classic/Pendulum-v0", "classic/CliffWalkingSlippery-v1")


@pytest.mark.usefixtures("quick_kit")
class TestClassic(PluginConformance):
    """A kernel of vector instructions, a table, and several players."""

    plugin = "classic"
    references: ClassVar = {f"classic/{name}": name for name in ("CartPole-v1", "Taxi-v4")}
    env_ids = (*references, "classic/TwoPlayerPong-v0")


@pytest.mark.slow
class TestAllOfClassic(PluginConformance):
    plugin = "classic"
    references: ClassVar = THEIRS
    env_ids = (*NATIVES, *PRESETS)
