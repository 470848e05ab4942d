"""One environment as a dm_env.Environment, by dm_env's own tests."""

from collections.abc import Iterator
from typing import Any, ClassVar

import dm_env
import pytest
from absl.testing import absltest
from dm_env import test_utils
from parallel_pool import OptionError
from parallel_pool.views.single_dm import SingleDmEnv
from test_envs.checks import refused


class Conformance(test_utils.EnvironmentTestMixin):
    """Subclasses say which environment; the action sequence passes the ends of episodes."""

    arguments: ClassVar[dict[str, Any]]
    steps = 30

    def make_object_under_test(self) -> SingleDmEnv:
        return SingleDmEnv(**self.arguments)

    def make_action_sequence(self) -> Iterator[Any]:
        for _ in range(self.steps):
            yield self.make_action()


class TestNested(Conformance, absltest.TestCase):
    arguments: ClassVar = {"task_id": "test/Types-v0", "max_episode_steps": 4}


class TestDiscount(Conformance, absltest.TestCase):
    arguments: ClassVar = {"task_id": "test/Discount-v0"}


def test_time_steps_are_dm_envs() -> None:
    env = SingleDmEnv("test/Count-v0", max_count=2)
    with env:
        steps = [env.step(2), env.step(1), env.step(2), env.step(0), env.reset(seed=3)]
    assert [step.step_type for step in steps] == [
        dm_env.StepType.FIRST,
        dm_env.StepType.MID,
        dm_env.StepType.LAST,
        dm_env.StepType.FIRST,
        dm_env.StepType.FIRST,
    ]
    assert [step.reward for step in steps] == [None, 1.0, 2.0, None, None]
    assert [step.discount for step in steps] == [None, 1.0, 0.0, None, None]
    assert [step.observation.tolist() for step in steps] == [0, 1, 2, 0, 0]
    assert all(type(step.reward) in (float, type(None)) for step in steps)


def test_a_single_environment_takes_no_batch() -> None:
    with refused(OptionError, "num_envs"):
        SingleDmEnv("test/Count-v0", num_envs=2)
    with pytest.raises(OptionError):
        SingleDmEnv("test/Count-v0", autoreset_mode="SameStep")
