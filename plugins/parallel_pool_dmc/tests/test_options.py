"""What may be said of a task, and what is refused, before anything is built."""

import re
from typing import Any

import numpy as np
import parallel_pool
import pytest
from dm_env import StepType
from dmc_originals import played, reference
from parallel_pool import OptionError
from parallel_pool_dmc._tasks import TASKS
from test_envs.originals import Beside


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("cartpole-swingup", {"time_limit": 0.35}),
        ("cheetah-run", {"time_limit": 1, "environment_kwargs": {"n_sub_steps": 3}}),
        ("acrobot-swingup", {"time_limit": 1, "environment_kwargs": {"control_timestep": 0.05}}),
        ("pendulum-swingup", {"time_limit": 1, "environment_kwargs": {"legacy_step": False}}),
        ("walker-run", {"time_limit": 0.5, "environment_kwargs": {"legacy_step": False}}),
        ("cartpole-three_poles", {"time_limit": 0.5, "num_poles": 5, "sparse": True}),
    ],
)
def test_dm_controls_arguments(name: str, arguments: dict[str, Any], beside: Beside) -> None:
    assert played(beside, name, seed=3, episodes=3, **arguments).step > 15


def test_frame_skip_repeats_an_action_and_adds_the_rewards_up() -> None:
    """As the benchmarks' wrappers do; the last action of an episode may be repeated less often."""
    task = next(each for each in TASKS if each.id == "dmc/hopper-hop-v1")
    env = reference(task, 5, time_limit=0.5)  # 25 steps
    with parallel_pool.make_dm("HopperHop-v1", time_limit=0.5, frame_skip=4, seed=5) as pool:
        assert pool.config["max_episode_steps"] == 7
        draw = np.random.default_rng(0)
        env.reset()
        pool.reset()
        for _ in range(2):
            for number in range(7):
                action = draw.uniform(-1, 1, env.action_spec().shape)
                reward = 0.0
                for _ in range(4 if number < 6 else 1):
                    expected = env.step(action)
                    reward += expected.reward
                got = pool.step(action[None])
                assert got.reward[0] == reward
                assert got.step_type[0] == expected.step_type
                assert got.discount[0] == expected.discount
                for key, value in expected.observation.items():
                    np.testing.assert_array_equal(got.observation.obs[key][0], value)
            assert expected.last()
            env.reset()
            assert pool.step(action[None]).step_type[0] == StepType.FIRST


def test_random_is_the_seed() -> None:
    with (
        parallel_pool.make("CartpoleBalance-v1", task_kwargs={"random": 8}) as one,
        parallel_pool.make("CartpoleBalance-v1", seed=8) as other,
    ):
        np.testing.assert_array_equal(one.reset()[0]["position"], other.reset()[0]["position"])


@pytest.mark.parametrize(
    ("task_id", "options", "message"),
    [
        ("walker-walk", {"task_kwargs": {"num_poles": 2}}, "task_kwargs has 'num_poles'"),
        ("walker-walk", {"task_kwargs": 3}, "task_kwargs is 3, expected a dict or None"),
        ("walker-walk", {"task_kwargs": {"random": "a"}}, "'random': 'a', expected an int"),
        ("walker-walk", {"task_kwargs": {"random": 1}, "seed": 2}, "seed is said twice"),
        ("walker-walk", {"task_kwargs": {"time_limit": 1}, "time_limit": 2}, "said twice"),
        ("walker-walk", {"environment_kwargs": {"foo": 2}}, "environment_kwargs has 'foo'"),
        ("walker-walk", {"control_timestep": 0.003}, "expected a multiple of the simulation's"),
        ("walker-walk", {"control_timestep": 0.001}, "expected a multiple of the simulation's"),
        ("walker-walk", {"move_spede": 1.0}, "move_speed"),
        ("cartpole-balance", {"num_poles": 3}, "takes no num_poles"),
        ("walker-walk", {"env_options": [{}, {"frame_stack": 2}]}, "frame_stack"),
    ],
)
def test_what_makes_no_sense(task_id: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        parallel_pool.make(f"dmc/{task_id}", num_envs=2, **options)


def test_a_warning_of_mujoco_may_end_the_episode() -> None:
    with parallel_pool.make("dmc/cheetah-run", on_warning="truncate", seed=0) as pool:
        pool.reset()
        velocity = pool.read_array("qvel", [0])
        velocity[0, 0] = 1e12
        pool.write_array("qvel", velocity, [0])
        *_, truncated, info = pool.step(np.zeros((1, 6)))
        assert truncated[0] and info["mujoco_warning"][0] > 0
