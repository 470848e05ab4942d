"""The pool and the reference pool agree on whatever Hypothesis does with them."""

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test
from machine import PoolMachine

PHASES = [each for each in Phase if each != Phase.explain]
"""To explain a failure, Hypothesis traces the programs that it makes smaller: an interrupt that comes while
the tracer runs loses a result behind the pool's back, and the failure that is shown is that one."""


def run(machine: type[RuleBasedStateMachine], examples: int, steps: int, **how: Any) -> None:
    slow_machines_are_no_error = list(HealthCheck)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            suppress_health_check=slow_machines_are_no_error,
            print_blob=True,
            **how,
        ),
    )


def test_random_programs(drift_library: None) -> None:
    """The same programs in every run."""
    run(PoolMachine, 40, 50, derandomize=True, phases=PHASES)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_many_random_programs(drift_library: None) -> None:
    """Others in every run: some minutes of them, or PP_MODEL_EXAMPLES."""
    examples = int(os.environ.get("PP_MODEL_EXAMPLES", "3000"))
    run(PoolMachine, examples, 80, phases=PHASES)
