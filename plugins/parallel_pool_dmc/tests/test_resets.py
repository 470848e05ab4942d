"""Episodes that begin in several ways, each of which equals dm_control's."""

from __future__ import annotations

import pytest
from dmc_twin import Twin


@pytest.mark.parametrize(
    "name", ["manipulator-bring_ball", "manipulator-insert_peg", "stacker-stack_2"]
)
def test_many_beginnings(name: str) -> None:
    """An object is in the hand, in the target or anywhere; what penetrates is drawn again."""
    twin = Twin(name, seed=40, time_limit=0.02)
    assert twin.run(episodes=25) == 25 * 2 + 24  # with a reset between two episodes
    twin.close()


@pytest.mark.parametrize("name", ["manipulator-bring_peg", "stacker-stack_4"])
def test_what_is_not_fully_observable(name: str) -> None:
    twin = Twin(name, seed=3, time_limit=0.2, fully_observable=False)
    assert twin.run(episodes=2) == 41
    twin.close()
