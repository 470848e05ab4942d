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
# A kernel of vector instructions, a table, and several players.
ALWAYS = ("CartPole-v1", "Taxi-v4", "TwoPlayerPong-v0")


class OfClassic(PluginConformance):
    __test__ = False
    plugin = "classic"
    names: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        cls.__test__ = True
        cls.env_ids = tuple(f"classic/{name}" for name in cls.names)
        cls.references = {f"classic/{name}": name for name in cls.names if name in GYMNASIUM}
        super().__init_subclass__()


@pytest.mark.usefixtures("quick_kit")
class TestClassic(OfClassic):
    names = ALWAYS


@pytest.mark.slow
class TestAllOfClassic(OfClassic):
    names = (*GYMNASIUM, *OF_OUR_OWN)
