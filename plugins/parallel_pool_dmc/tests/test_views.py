"""The same task in all views: Shimmy's spaces, FlattenObservation's order, dm_env's own test kit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from absl.testing import absltest
from dm_env import test_utils
from dmc_twin import BY_NAME, NAMES, reference
from gymnasium import spaces
from parallel_pool.registry import registry


def shimmys_space(spec: Any) -> gymnasium.Space[Any]:
    """What Shimmy makes of a dm_env spec: bounds if there are, keys in the spaces' own order."""
    if isinstance(spec, dict):
        return spaces.Dict({key: shimmys_space(each) for key, each in sorted(spec.items())})
    low, high = getattr(spec, "minimum", -np.inf), getattr(spec, "maximum", np.inf)
    low, high = (np.broadcast_to(each, spec.shape) for each in (low, high))
    return spaces.Box(low.astype(spec.dtype), high.astype(spec.dtype), spec.shape, spec.dtype.type)


@pytest.mark.parametrize("name", NAMES)
def test_spaces_and_specs(name: str) -> None:
    env = reference(BY_NAME[name], 0)
    spec = parallel_pool.make_spec(f"dmc/{name}")
    observed = {
        key: value if value.dtype == np.float64 else value.replace(dtype=np.float64)
        for key, value in env.observation_spec().items()
    }
    assert spec.observation_space == shimmys_space(observed)
    assert spec.action_space == shimmys_space(env.action_spec())
    flat = parallel_pool.make_spec(f"dmc/{name}", flatten=True).observation_space
    assert flat == spaces.flatten_space(spec.observation_space)
    with parallel_pool.make_dm(f"dmc/{name}", num_envs=1) as pool:
        assert list(pool.observation_spec().obs) == list(observed)
        for key, expected in observed.items():
            assert pool.observation_spec().obs[key] == expected
            assert pool.observation_spec().obs[key].name == key
        assert pool.action_spec() == env.action_spec()


def test_flatten_is_gymnasiums() -> None:
    with (
        parallel_pool.make("dmc/walker-walk", num_envs=2, seed=1) as pool,
        parallel_pool.make("dmc/walker-walk", num_envs=2, seed=1, flatten=True) as flat,
    ):
        space = pool.single_observation_space
        obs, flattened = pool.reset()[0], flat.reset()[0]
        for _ in range(5):
            for lane in range(2):
                row = {key: value[lane] for key, value in obs.items()}
                np.testing.assert_array_equal(flattened[lane], spaces.flatten(space, row))
            actions = pool.action_space.sample()
            obs, flattened = pool.step(actions)[0], flat.step(actions)[0]


def test_a_stack_has_the_last_observations() -> None:
    with (
        parallel_pool.make("dmc/hopper-hop", num_envs=2, seed=1) as pool,
        parallel_pool.make("dmc/hopper-hop", num_envs=2, seed=1, frame_stack=3) as stack,
    ):
        seen = [pool.reset()[0]] * 3
        stacked = stack.reset()[0]
        for _ in range(6):
            for key, value in stacked.items():
                np.testing.assert_array_equal(value, np.stack([obs[key] for obs in seen], axis=1))
            actions = pool.action_space.sample()
            seen = [*seen[1:], pool.step(actions)[0]]
            stacked = stack.step(actions)[0]


def test_every_name_of_a_task() -> None:
    for name, task in BY_NAME.items():
        for each in (f"dmc/{name}", name, task.envpool_id, f"dm_control/{name}-v0"):
            assert registry().resolve(each).spec.id == task.id


class TestSingleEnvironment(test_utils.EnvironmentTestMixin, absltest.TestCase):  # type: ignore[misc]
    """dm_env's own tests of an environment."""

    def make_object_under_test(self) -> Any:
        return parallel_pool.SingleDmEnv("dmc/ball_in_cup-catch", time_limit=0.2)

    def make_action_sequence(self) -> Iterator[Any]:
        for _ in range(30):
            yield self.make_action()
