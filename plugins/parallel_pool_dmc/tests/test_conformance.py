"""The conformance kit on the library's environments: cheap ones here, all of them when there is time.

Pictures are left to test_render.py, which chooses how OpenGL is found.
"""

from __future__ import annotations

import pytest
from dmc_twin import NAMES
from parallel_pool.testing import check_plugin
from parallel_pool.testing.checks import ENV_CHECKS, PLUGIN_CHECKS

CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("render", "speed")]


def check(task_ids: list[str], steps: int, without: tuple[str, ...] = ()) -> None:
    only = [name for name in CHECKS if name not in without]
    report = check_plugin("dmc", env_ids=task_ids, steps=steps, only=only)
    assert report.ok, report.failures
    assert len(report.results) > 10


def test_cheap_environments() -> None:
    without = ("lifetime", "options", "per_env_options")  # for which models are compiled
    check(["dmc/point_mass-hard-v1"], steps=20, without=without)


@pytest.mark.slow  # ten seconds for each
@pytest.mark.parametrize("name", NAMES)
def test_every_environment(name: str) -> None:
    check([f"dmc/{name}-v1"], steps=150)
