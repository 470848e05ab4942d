"""Everything that the conformance kit asks of a plugin."""

from typing import ClassVar

import pytest
from parallel_pool.testing import PluginConformance

GYMNASIUM = (
    "CartPole-v1",
    "Pendulum-v1",
    "MountainCar-v0",
    "MountainCarContinuous-v0",
    "Acrobot-v1",
    "FrozenLake-v1",
    "Taxi-v4",
    "CliffWalking-v1",
    "Blackjack-v1",
)


OF_OUR_OWN = (
    "Catch-v0",
    "NChain-v0",
    "BlackjackBox-v1",
    "Pendulum-v0",
    "CliffWalkingSlippery-v1",
    "TwoPlayerPong-v0",
)


@pytest.mark.usefixtures("quick_kit")
class TestClassic(PluginConformance):
    """A kernel of vector instructions, a table, and several players."""

    plugin = "classic"
    references: ClassVar = {f"classic/{name}": name for name in ("CartPole-v1", "Taxi-v4")}
    env_ids = (*references, "classic/TwoPlayerPong-v0")


@pytest.mark.slow
class TestAllOfClassic(PluginConformance):
    plugin = "classic"
    references: ClassVar = {f"classic/{name}": name for name in GYMNASIUM}
    env_ids = (*references, *(f"classic/{name}" for name in OF_OUR_OWN))
