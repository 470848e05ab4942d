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
    monkeypatch.setattr(sys.modules["parallel_pool.testing.checks.speed"], "SECONDS", 0.02)


class TestClassic(PluginConformance):
    plugin = "classic"
    env_ids = tuple(
        f"classic/{name}"
        for name in (
            *GYMNASIUM,
            "Catch-v0",
            "NChain-v0",
            "BlackjackBox-v1",
            "Pendulum-v0",
            "CliffWalkingSlippery-v1",
            "TwoPlayerPong-v0",
        )
    )
    references: ClassVar[dict[str, str]] = {f"classic/{name}": name for name in GYMNASIUM}
