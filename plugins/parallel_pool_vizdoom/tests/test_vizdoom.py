"""Every scenario against vizdoom's own DoomGame, frame by frame."""

from __future__ import annotations

import pytest
from doom_twin import Twin, memory_names
from parallel_pool_vizdoom._scenarios import SCENARIOS

NAMES = [scenario.cfg for scenario in SCENARIOS]
CHEAP = (
    "basic",
    "deadly_corridor",
    "defend_the_center",
    "health_gathering",
    "my_way_home",
    "take_cover",
    "predict_position",
)
"""All of them take half a minute; these are what is always tested."""


def check(name: str, steps: int, **options: object) -> None:
    before = memory_names()
    twin = Twin(name, seed=7, **options)  # type: ignore[arg-type]
    try:
        assert twin.run(steps) > 0
    finally:
        twin.close()
    assert memory_names() == before


@pytest.mark.parametrize("name", CHEAP)
def test_scenario(name: str) -> None:
    check(name, 2200 if name == "my_way_home" else 2000)  # to an end: its episodes have 2100 tics


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_with_skipped_tics(name: str) -> None:
    check(name, 1500, frame_skip=4, gray=True)
