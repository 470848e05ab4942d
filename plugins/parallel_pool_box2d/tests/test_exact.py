"""All ids equal Gymnasium's, bit for bit, over many episodes of the same objects."""

from typing import Any

import pytest

pytest.importorskip("Box2D")

from box2d_twins import Driving, Play, Walking, at_random, landing, lockstep

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


RACES: list[tuple[str, dict[str, Any]]] = [
    ("CarRacing-v3", {}),
    ("CarRacing-v3", {"continuous": False}),
    ("CarRacing-v3", {"domain_randomize": True, "lap_complete_percent": 0.5}),
]


@pytest.mark.parametrize(("task_id", "options"), RACES)
def test_races_with_pictures(task_id: str, options: dict[str, Any]) -> None:
    lockstep(task_id, Driving(), steps=90, **options)


@pytest.mark.slow
@pytest.mark.parametrize(("task_id", "options"), RACES)
def test_races_of_9000_pictures(task_id: str, options: dict[str, Any]) -> None:
    assert lockstep(task_id, Driving(), steps=3_000, seed=100, **options) > 3
