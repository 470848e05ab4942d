"""The conformance kit on a scenario and on a match of two: what is quick always, more when there is time.

Without what takes many minutes here: 200 pools one after the other, and measuring speed. A match starts engines
at every reset with a seed; of it the checks are run that are below.
"""

from __future__ import annotations

import pytest
from parallel_pool.testing import check_plugin
from parallel_pool.testing.checks import ENV_CHECKS, PLUGIN_CHECKS

GAME, MATCH = "vizdoom/TakeCover-v1", "vizdoom/MultiDuel-v1"
QUICK = ["declaration", "lightness", "spaces"]
CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("speed", "lifetime")]
OF_MATCHES = [
    *("rows", "values", "statics", "determinism"),
    *("state", "damaged_states", "reference"),
]


def check(task_id: str, only: list[str], steps: int) -> None:
    report = check_plugin("vizdoom", env_ids=[task_id], steps=steps, only=only)
    assert report.ok, report.failures
    assert len(report.results) >= len(only)


@pytest.mark.parametrize("task_id", [GAME, MATCH])
def test_what_is_quick(task_id: str) -> None:
    check(task_id, QUICK, 40)


@pytest.mark.slow
def test_everything() -> None:
    check(GAME, CHECKS, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_MATCHES)
def test_matches(name: str) -> None:
    check(MATCH, [name], 6)
