"""An environment of any family is in company what it is alone, whatever Hypothesis does with both."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from real_families import FAMILIES
from real_machine import RealMachine
from test_envs.saving import saving_families
from test_state_machine import COMMON


def machine(family: str) -> type[RealMachine]:
    return type(f"Machine_{family}", (RealMachine,), {"played": FAMILIES[family]})


def test_every_family_that_saves_states_is_played() -> None:
    assert FAMILIES.keys() == saving_families(), "tests/model/real_families.py has other families"
    for family, played in FAMILIES.items():
        assert played.env.startswith(f"{family}/")
        assert len(played.variants) > 1, "environments have to differ"


@pytest.mark.parametrize("family", FAMILIES)
def test_random_programs_on_real_environments(family: str) -> None:
    """The same programs in every run."""
    run_state_machine_as_test(
        machine(family),
        settings=settings(derandomize=True, max_examples=8, stateful_step_count=25, **COMMON),
    )


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("family", FAMILIES)
def test_many_random_programs_on_real_environments(family: str) -> None:
    """Others in every run; PP_MODEL_EXAMPLES among all families."""
    examples = int(os.environ.get("PP_MODEL_EXAMPLES", "3000")) // len(FAMILIES)
    run_state_machine_as_test(
        machine(family),
        settings=settings(max_examples=examples, stateful_step_count=60, **COMMON),
    )
