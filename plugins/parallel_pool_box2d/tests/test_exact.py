"""All ids equal Gymnasium's, bit for bit, over many episodes of the same objects."""

from typing import Any

import pytest

pytest.importorskip("Box2D")

from box2d_twins import Play, Walking, at_random, landing, lockstep

CASES: list[tuple[str, Play, dict[str, Any]]] = [
    ("LunarLander-v3", at_random, {}),
    ("LunarLander-v3", landing, {}),
    ("LunarLander-v3", landing, {"enable_wind": True, "wind_power": 20.0}),
    ("LunarLander-v3", at_random, {"gravity": -3.0, "enable_wind": True, "turbulence_power": 2.0}),
    ("LunarLanderContinuous-v3", at_random, {}),
    ("LunarLanderContinuous-v3", landing, {"enable_wind": True}),
    ("BipedalWalker-v3", at_random, {}),
    ("BipedalWalker-v3", Walking(), {}),
    ("BipedalWalkerHardcore-v3", at_random, {}),
    ("BipedalWalkerHardcore-v3", Walking(), {}),
]


@pytest.mark.parametrize(("task_id", "play", "options"), CASES)
def test_thousands_of_steps(task_id: str, play: Play, options: dict[str, Any]) -> None:
    assert lockstep(task_id, play, steps=7_000, **options) > 3


@pytest.mark.slow
@pytest.mark.parametrize(("task_id", "play", "options"), CASES)
def test_600000_steps(task_id: str, play: Play, options: dict[str, Any]) -> None:
    assert lockstep(task_id, play, steps=200_000, seed=100, **options) > 30
