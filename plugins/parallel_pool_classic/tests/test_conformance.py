"""Everything that the conformance kit asks of a plugin."""

import sys
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


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed, which no check judges, is measured for a moment only."""
    monkeypatch.setattr(sys.modules["parallel_pool_author.testing.checks.speed"], "SECONDS", 0.02)


OF_OUR_OWN = (
    "Catch-v0",
    "NChain-v0",
    "BlackjackBox-v1",
    "Pendulum-v0",
    "CliffWalkingSlippery-v1",
    "TwoPlayerPong-v0",
)
# A kernel of vector instructions, one with chance, a table, cards, and several players.
ALWAYS = ("CartPole-v1", "Pendulum-v1", "Taxi-v4", "Blackjack-v1", "TwoPlayerPong-v0")


class OfClassic(PluginConformance):
    __test__ = False
    plugin = "classic"
    names: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        cls.__test__ = True
        cls.env_ids = tuple(f"classic/{name}" for name in cls.names)
        cls.references = {f"classic/{name}": name for name in cls.names if name in GYMNASIUM}
        super().__init_subclass__()


class TestClassic(OfClassic):
    names = ALWAYS


@pytest.mark.slow
class TestTheRestOfClassic(OfClassic):
    names = tuple(name for name in (*GYMNASIUM, *OF_OUR_OWN) if name not in ALWAYS)
