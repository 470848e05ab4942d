"""The pool and the reference pool agree on whatever Hypothesis does with them."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from machine import PoolMachine

COMMON = {
    "deadline": None,
    "database": None,
    "suppress_health_check": list(HealthCheck),  # slow machines are no error
    "print_blob": True,
}
PHASES = [each for each in Phase if each != Phase.explain]
"""To explain a failure, Hypothesis traces the programs that it makes smaller: an interrupt that comes while
the tracer runs loses a result behind the pool's back, and the failure that is shown is that one."""


def test_random_programs(drift_library: None) -> None:
    """The same programs in every run."""
    run_state_machine_as_test(
        PoolMachine,
        settings=settings(
            derandomize=True, max_examples=40, stateful_step_count=50, phases=PHASES, **COMMON
        ),
    )


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_many_random_programs(drift_library: None) -> None:
    """Others in every run: some minutes of them, or PP_MODEL_EXAMPLES."""
    examples = int(os.environ.get("PP_MODEL_EXAMPLES", "3000"))
    run_state_machine_as_test(
        PoolMachine,
        settings=settings(max_examples=examples, stateful_step_count=80, phases=PHASES, **COMMON),
    )
