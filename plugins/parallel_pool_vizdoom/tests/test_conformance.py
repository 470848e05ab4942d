"""The conformance kit on one scenario, without what takes minutes: 200 pools, and measuring speed."""

from __future__ import annotations

from parallel_pool.testing import check_plugin
from parallel_pool.testing.checks import ENV_CHECKS, PLUGIN_CHECKS

CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("speed", "lifetime")]


def test_take_cover() -> None:
    report = check_plugin("vizdoom", env_ids=["vizdoom/TakeCover-v1"], steps=40, only=CHECKS)
    assert report.ok, report.failures
    assert len(report.results) > 10
