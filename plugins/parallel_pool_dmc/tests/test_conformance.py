"""The conformance kit on the library's environments, dm_control's as reference: cheap ones here, all of them
when there is time.

Pictures are left to test_render.py, which chooses how OpenGL is found.
"""

from functools import partial

import pytest
from dmc_originals import NAMES, OfDmControl
from parallel_pool.testing import check_plugin
from parallel_pool_author.testing.checks import ENV_CHECKS, PLUGIN_CHECKS

CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("render", "speed")]

UNSTABLE = ("lqr-lqr_6_2",)
"""Thousands of steps of random forces without a limit are more than MuJoCo can simulate here: dm_control raises
a PhysicsError and the pool an EnvError. These are checked with the option that ends the episode instead.
"""


def check(name: str, steps: int, without: tuple[str, ...] = ()) -> None:
    task_id = f"dmc/{name}-v1"
    only = [each for each in CHECKS if each not in without]
    references = {task_id: partial(OfDmControl, name)}
    options = {task_id: {"on_warning": "truncate"}} if name in UNSTABLE else None
    report = check_plugin(
        "dmc", env_ids=[task_id], options=options, references=references, steps=steps, only=only
    )
    assert report.ok, report.failures
    assert len(report.results) > 10
    assert any(result.check == "reference" for result in report.results)


@pytest.mark.usefixtures("quick_kit")
def test_cheap_environments() -> None:
    compiling = ("lifetime", "options", "per_env_options", "declaration")
    # The others: tests/registry has every task's states and neighbours.
    check("point_mass-hard", steps=20, without=(*compiling, "state", "independence"))


@pytest.mark.slow
def test_a_task_without_a_limit() -> None:
    """Random forces bring nothing to rest: that its episodes hardly end is said of it."""
    report = check_plugin("dmc", env_ids=["dmc/lqr-lqr_2_1-v1"], only=["endings"])
    assert report.ok, report.failures


@pytest.mark.slow  # ten seconds for each
@pytest.mark.parametrize("name", NAMES)
def test_every_environment(name: str) -> None:
    check(name, steps=150)
