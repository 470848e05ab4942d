"""The conformance kit on the library's environment, by the example."""

from parallel_pool.testing import check_plugin
from parallel_pool_author.testing.checks import ENV_CHECKS, PLUGIN_CHECKS
from parallel_pool_tasks._plugin import plugin
from parallel_pool_tasks.classes import spec_of
from parallel_pool_tasks.examples import TASKS

CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("render", "speed")]


def test_the_example() -> None:
    report = check_plugin("tasks", steps=20, only=CHECKS)
    assert report.ok, report.failures
    assert len(report.results) > 10


def test_what_the_plugin_lists_is_what_the_classes_say() -> None:
    assert list(plugin.parallel_pool_envs()) == [spec_of(each) for each in TASKS]
