"""An environment beside its original."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from conformance.findings import texts
from parallel_pool.testing import Report, check_plugin
from parallel_pool_author.testing.env_under_test import first_difference


@pytest.fixture(autouse=True)
def environments(quick: None, known: Callable[[str], None]) -> None:
    known("shared")


class Leaves(gymnasium.Env[Any, Any]):
    """Has a counter that leaves its own bounds, as the environment that reproduces it does."""

    observation_space = gymnasium.spaces.Box(-200, 200, (), np.float64)
    action_space = gymnasium.spaces.Discrete(2)
    gain = 1.0

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.total = self.np_random.uniform(-1, 1)
        return np.float64(self.total), {}

    def step(self, action: Any) -> Any:
        self.total += self.gain
        return np.float64(self.total), self.total * 0.1, self.total > 300, False, {}


class Slower(Leaves):
    gain = 0.5


def checked(name: str, original: Any, *checks: str) -> Report:
    env_id = f"shared/{name}-v0"
    return check_plugin("shared", env_ids=[env_id], only=checks, references={env_id: original})


def test_an_environment_that_is_not_its_original() -> None:
    report = checked("Leaves", Slower, "reference")
    assert [each.check for each in report.failures] == ["reference"]
    assert "the observation of step 1 with seed 0" in report.failures[0].text


def test_an_original_that_leaves_its_own_bounds() -> None:
    (found,) = check_plugin("shared", env_ids=["shared/Leaves-v0"], only=["values"]).failures
    assert "if an original does the same, name it as a reference" in found.text
    report = checked("Leaves", Leaves, "values", "reference")
    assert report.ok, texts(report)
    (values,) = (each for each in report.results if each.check == "values")
    assert "the obs leaves its bounds, as the original's does" in values.text


def test_a_reward_of_another_precision() -> None:
    """Computed in float, where the original has double."""
    said = texts(checked("FloatReward", Leaves, "reference"))
    assert "the reward of step 1 with seed 0" in said


def test_of_a_picture_the_first_pixel_that_differs_is_named() -> None:
    one, other = np.zeros((2, 3, 84, 84), np.uint8), np.zeros((2, 3, 84, 84), np.uint8)
    other[1, 2, 30, 4] = 119
    said = first_difference([{"obs": one}, {"obs": one}], [{"obs": one}, {"obs": other}])
    assert said == "obs[1, 2, 30, 4] at step 1 is 0 and 119"
