"""Episodes that begin in several ways, each of which equals dm_control's."""

import pytest
from dmc_originals import played
from test_envs.originals import Beside


@pytest.mark.parametrize(
    "name", ["manipulator-bring_ball", "manipulator-insert_peg", "stacker-stack_2"]
)
def test_many_beginnings(name: str, beside: Beside) -> None:
    """An object is in the hand, in the target or anywhere; what penetrates is drawn again."""
    play = played(beside, name, seed=40, episodes=25, time_limit=0.02)
    assert play.step == 25 * 2 + 24  # with a reset between two episodes


@pytest.mark.parametrize("name", ["manipulator-bring_peg", "stacker-stack_4"])
def test_what_is_not_fully_observable(name: str, beside: Beside) -> None:
    how = {"time_limit": 0.2, "fully_observable": False}
    assert played(beside, name, seed=3, episodes=2, **how).step == 41
