"""A step costs no more instructions than it did when the figures were committed (docs/testing.md)."""

import sys

import pytest
from step_cost.callgrind import Unavailable
from step_cost.cases import CASES, Case
from step_cost.figures import Figures, NotComparable, complaint, complaint_of_all, count_all

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def here() -> Figures:
    try:
        return count_all(CASES, sys.executable)
    except Unavailable as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_instructions_per_step(case: Case, here: Figures) -> None:
    try:
        text = complaint(case.name, Figures.read(), here.counts[case.name], here.fingerprint)
    except NotComparable as reason:
        pytest.skip(str(reason))
    if text is not None:
        pytest.fail(text, pytrace=False)


def test_all_of_them(here: Figures) -> None:
    assert complaint_of_all(Figures.read(), here) is None
