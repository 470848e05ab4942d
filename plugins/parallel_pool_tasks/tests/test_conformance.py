"""The conformance kit: on the example, and on a task that its two modes run differently."""

import re
from typing import Any

import pytest
from parallel_pool.testing import check_plugin
from parallel_pool_author.testing.checks import ENV_CHECKS, PLUGIN_CHECKS
from parallel_pool_author.testing.env_under_test import EnvUnderTest
from parallel_pool_author.testing.report import ids_to_check, run
from parallel_pool_tasks import Step, Task, register
from parallel_pool_tasks._plugin import plugin
from parallel_pool_tasks.classes import spec_of
from parallel_pool_tasks.examples import TASKS, Cheetah, Reach
from task_classes import Reacher

CHECKS = [name for name in (*PLUGIN_CHECKS, *ENV_CHECKS) if name not in ("render", "speed")]


@pytest.mark.parametrize("kit", ["quick_kit", pytest.param("", marks=pytest.mark.slow)])
def test_the_examples(kit: str, request: pytest.FixtureRequest) -> None:
    """They are one environment in C++: the second is played beside Python alone."""
    if kit:
        request.getfixturevalue(kit)
    report = check_plugin("tasks", env_ids=[Cheetah.id], steps=20, only=CHECKS)
    assert report.ok, report.failures
    assert len(report.results) > 10
    beside = run(Reach.id, "reference", ENV_CHECKS["reference"], EnvUnderTest(Reach.id, steps=60))
    said = [each.text for each in (*report.results, beside)]
    assert {f"5 seeds of {steps} steps beside Python" for steps in (20, 60)} <= set(said)


PARTS = {
    "info": r"the info\['late'\] of step 7 with seed 1 \(row 1, .* is 1., and .* is 0.",
    "observe": r"the observation\['late'\] of step 0 with seed 0 \(row 0, .* is 1., and .* is 0.",
    "reward": r"the reward of step 7 with seed 1 \(row 1, .* is 1., and .* is 0.",
    "": "5 seeds of 15 steps beside Python",
}


def test_tasks_with_two_results() -> None:
    """Each listed class is played in both modes; the type of a value differs in them. A difference names the
    environment, field, step, seed and both values.
    """
    classes = [register(two_results(part)) for part in PARTS]
    assert set(classes) <= set(ids_to_check("two"))
    for (part, words), env_id in zip(PARTS.items(), classes, strict=True):
        tested = EnvUnderTest(env_id, steps=15)
        result = run(env_id, "reference", ENV_CHECKS["reference"], tested)
        assert result.outcome == ("failed" if part else "passed")
        assert re.search(f"{result.subject}: {words}" if part else words, result.text), result.text


def two_results(part: str) -> type[Task]:
    class Two(Reacher):
        id = f"two/{part.title() or 'No'}-v0"

        def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
            return {"late": 1.0 * (part == "observe" and not isinstance(sim.time, float))}

        def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
            sim.ctrl[:] = action
            sim.step(self.frame_skip)
            ep.steps = ep.steps + 1
            late = (ep.steps > 6) * (sim.qpos[0] > 0) * float(not isinstance(sim.time, float))
            return Step(late * (part == "reward"), info={"late": late * (part == "info")})

    return Two


def test_what_the_plugin_lists_is_what_the_classes_say() -> None:
    assert list(plugin.parallel_pool_envs()) == [spec_of(each) for each in TASKS]
