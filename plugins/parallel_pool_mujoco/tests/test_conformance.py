"""The conformance kit on the library's environments: a cheap one here, all of them when there is time.

Pictures are left to test_render.py, which chooses how OpenGL is found.
"""

import pytest
from mujoco_originals import TASKS
from parallel_pool.testing import check_plugin
from parallel_pool_author.testing.checks import ENV_CHECKS, PLUGIN_CHECKS

CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("render", "speed")]


def check(task_ids: list[str], steps: int, without: tuple[str, ...] = ()) -> None:
    only = [name for name in CHECKS if name not in without]
    report = check_plugin("mujoco", env_ids=task_ids, steps=steps, only=only)
    assert report.ok, report.failures
    assert len(report.results) > 10


@pytest.mark.usefixtures("quick_kit")
def test_a_cheap_environment() -> None:
    check(["mujoco/InvertedPendulum-v5"], steps=60, without=("lifetime",))


@pytest.mark.slow  # ten seconds for each
@pytest.mark.parametrize("version", ["v4", "v5"])
@pytest.mark.parametrize("task", TASKS)
def test_every_environment(task: str, version: str) -> None:
    check([f"mujoco/{task}-{version}"], steps=150)
