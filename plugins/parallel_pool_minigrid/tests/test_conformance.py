"""Everything that the conformance kit asks of a plugin."""

import sys
from typing import ClassVar

import pytest
from parallel_pool.testing import PluginConformance
from parallel_pool_minigrid._plugin import ENVS

ALWAYS = ("DoorKey-v0", "DynamicObstacles-v0", "BabyAI-LevelGen-v0")
NATIVES = tuple(env.id for env in ENVS if env.native_id == env.id and env.removed is None)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed, which no check judges, is measured for a moment only."""
    monkeypatch.setattr(sys.modules["parallel_pool_author.testing.checks.speed"], "SECONDS", 0.02)


class TestMinigrid(PluginConformance):
    plugin = "minigrid"
    env_ids = tuple(f"minigrid/{name}" for name in ALWAYS)


@pytest.mark.slow
class TestAllOfMinigrid(PluginConformance):
    plugin = "minigrid"
    env_ids: ClassVar[tuple[str, ...]] = NATIVES
