"""The same task in all views: Shimmy's spaces, FlattenObservation's order, dm_env's own test kit."""

import sys
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from dmc_originals import BY_NAME, reference, shimmy_of
from gymnasium import spaces
from parallel_pool.registry import registry
from parallel_pool_dmc._tasks import TASKS, Task

sys.path.append(str(Path(__file__).parents[3] / "tools"))
import dmc_page


@pytest.mark.parametrize("count", [1, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("domain", dict.fromkeys(task.domain for task in TASKS))
def test_spaces_and_specs(domain: str, count: int | None) -> None:
    """Each day a task of each domain is looked at, each week all of them."""
    tasks = [task for task in TASKS if task.domain == domain]
    for task in tasks[:count]:
        check_spaces_and_specs(task)
    space, flat = (
        parallel_pool.make_spec(tasks[-1].id, flatten=flatten).observation_space
        for flatten in (False, True)
    )
    assert flat == spaces.flatten_space(space)
    assert dmc_page.section(domain, tasks) in dmc_page.PAGE.read_text(), (
        "write the page again: uv run python tools/dmc_page.py"
    )


def check_spaces_and_specs(task: Task) -> None:
    env = reference(task, 0)
    spec = parallel_pool.make_spec(task.id)
    shimmy = shimmy_of(env)
    observed = env.observation_spec()
    assert spec.observation_space == shimmy.observation_space
    assert spec.action_space == shimmy.action_space
    with parallel_pool.make_dm(task.id, num_envs=1) as pool:
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
