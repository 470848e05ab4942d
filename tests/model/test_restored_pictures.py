"""The picture of an environment that goes on from a state is the picture of the one that was saved."""

import pytest
from restored_pictures import CASES, NEED_OPENGL, compare, compare_drawn_before
from test_envs.opengl import drawn, needs_opengl
from test_envs.saving import saving_families


def test_every_family_that_saves_states_has_cases() -> None:
    assert CASES.keys() == saving_families(), "tests/model/restored_pictures.py has other families"


@pytest.mark.parametrize("family", sorted(CASES.keys() - set(NEED_OPENGL)))
def test_of_families_that_draw_themselves(family: str) -> None:
    compare(family)


@needs_opengl
@pytest.mark.parametrize(
    "observed", ["HalfCheetah-v5", pytest.param("dmc/cheetah-run-v1", marks=pytest.mark.slow)]
)
def test_of_families_that_need_opengl(observed: str) -> None:
    """And pictures that are observed."""
    uses = "from restored_pictures import NEED_OPENGL, compare, compare_observed\n"
    drawn(f"{uses}for each in NEED_OPENGL: compare(each)\ncompare_observed({observed!r})")


@pytest.mark.parametrize("family", sorted(CASES.keys() - set(NEED_OPENGL)))
def test_of_an_episode_after_one_that_was_drawn(family: str) -> None:
    """What was drawn before must not be seen. (A free camera of MuJoCo's stays: docs/mujoco.md.)"""
    compare_drawn_before(family)
