"""The conformance kit on one scenario: what is quick always, the rest when there is time.

Without what takes many minutes here: 200 pools one after the other, and measuring speed.
"""

from __future__ import annotations

import pytest
from parallel_pool.testing import check_plugin
from parallel_pool.testing.checks import ENV_CHECKS, PLUGIN_CHECKS

QUICK = ["declaration", "lightness", "spaces"]
CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("speed", "lifetime")]


def check(only: list[str]) -> None:
    report = check_plugin("vizdoom", env_ids=["vizdoom/TakeCover-v1"], steps=40, only=only)
    assert report.ok, report.failures
    assert len(report.results) >= len(only)


def test_what_is_quick() -> None:
    check(QUICK)


@pytest.mark.slow
def test_everything() -> None:
    check(CHECKS)
