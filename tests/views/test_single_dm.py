"""One environment as a dm_env.Environment, by dm_env's own tests."""

from collections.abc import Iterator
from typing import Any, ClassVar

import dm_env
import pytest
from absl.testing import absltest
from dm_env import test_utils
from parallel_pool import OptionError
from parallel_pool.views.single import SingleEnv
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
    with SingleDmEnv("test/Count-v0", max_count=2) as env:
        steps = [env.step(2), env.step(1), env.step(2), env.step(0), env.reset(seed=3)]
    first, mid, last = dm_env.StepType
    assert [step.step_type for step in steps] == [first, mid, last, first, first]
    assert [step.reward for step in steps] == [None, 1.0, 2.0, None, None]
    assert [step.discount for step in steps] == [None, 1.0, 0.0, None, None]
    assert [step.observation.tolist() for step in steps] == [0, 1, 2, 0, 0]
    assert all(type(step.reward) in (float, type(None)) for step in steps)


@pytest.mark.parametrize("single", [SingleEnv, SingleDmEnv])
@pytest.mark.parametrize("name", ["num_envs", "autoreset_mode", "env_options", "output"])
def test_what_a_single_environment_decides_itself(single: Any, name: str) -> None:
    with refused(OptionError, f"test/Count-v0: a single environment takes no {name}"):
        single("test/Count-v0", **{name: None})
