"""Programs of our own on ALE's machine and on ours (programs.py)."""

import ctypes

import pytest
from atari_engine import find_driver, library
from programs import LONG, PROGRAMS, first_difference


@pytest.mark.parametrize("third", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[pytest.mark.slow] * (each in LONG)) for each in PROGRAMS]
)
def test_programs_run_as_on_ale(name: str, third: bool) -> None:
    assert first_difference(str(find_driver()), [name], third) == ""


def test_every_instruction_set_draws_the_same() -> None:
    """Those that this processor has; the scalar one is what they are held to."""
    sets = ctypes.c_int()
    assert library().compare_painters(1, 20_000, ctypes.byref(sets)) == -1
