"""What may be said of a task, and what is refused, before anything is built."""

import re
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
import pytest
from dmc_originals import OfDmControl, played
from parallel_pool import OptionError
from parallel_pool.testing import play_beside
from test_envs.originals import Beside
from test_envs.programs import python

LEGACY, SLOW, SHORT = {"legacy_step": False}, {"control_timestep": 0.05}, {"time_limit": 0.02}


@pytest.mark.parametrize(
    ("name", "episodes", "steps", "arguments"),
    [
        ("cartpole-swingup", 3, 107, {"time_limit": 0.35}),
        ("cheetah-run", 3, 104, {"time_limit": 1, "environment_kwargs": {"n_sub_steps": 3}}),
        ("acrobot-swingup", 3, 62, {"time_limit": 1, "environment_kwargs": SLOW}),
        ("pendulum-swingup", 3, 152, {"time_limit": 1, "environment_kwargs": LEGACY}),
        ("walker-run", 3, 62, {"time_limit": 0.5, "environment_kwargs": LEGACY}),
        ("cartpole-three_poles", 3, 152, {"time_limit": 0.5, "num_poles": 5, "sparse": True}),
        # An object is in the hand, in the target or anywhere; what penetrates is drawn again.
        ("manipulator-bring_ball", 25, 74, SHORT),
        ("manipulator-insert_peg", 25, 74, SHORT),
        ("stacker-stack_2", 25, 74, SHORT),
        ("manipulator-bring_peg", 2, 41, {"time_limit": 0.2, "fully_observable": False}),
        ("stacker-stack_4", 2, 41, {"time_limit": 0.2, "fully_observable": False}),
        # Sizes that no task of the suite has.
        ("swimmer-swimmer6", 2, 81, {"time_limit": 1.2, "n_links": 3}),
        ("lqr-lqr_2_1", 2, 81, {"time_limit": 1.2, "n_bodies": 1, "n_actuators": 1}),
        # Products so long that numpy's BLAS adds them up in another order.
        ("lqr-lqr_6_2", 2, 81, {"time_limit": 1.2, "n_bodies": 40, "n_actuators": 33}),
    ],
)
def test_dm_controls_arguments(
    name: str, episodes: int, steps: int, arguments: dict[str, Any], beside: Beside
) -> None:
    """steps: with a reset between two episodes."""
    assert played(beside, name, seed=40, episodes=episodes, **arguments).step == steps


class Repeated(OfDmControl):
    """Takes each action four times and adds the rewards up, as the benchmarks' wrappers do."""

    def step(self, action: Any) -> Any:
        total = 0.0
        for _ in range(4):
            obs, reward, *ends, info = super().step(action)
            total += reward
            if any(ends):
                break
        return obs, total, *ends, info


def test_frame_skip_repeats_an_action() -> None:
    """The last action of an episode, which has 25 steps, is taken once."""
    original = partial(Repeated, "hopper-hop", {"time_limit": 0.5})
    with parallel_pool.make("HopperHop-v1", time_limit=0.5, frame_skip=4) as pool:
        assert pool.config["max_episode_steps"] == 7
        assert play_beside(pool, original, seed=5, episodes=2).step == 15


def test_random_is_the_seed() -> None:
    with (
        parallel_pool.make("CartpoleBalance-v1", task_kwargs={"random": 8}) as one,
        parallel_pool.make("CartpoleBalance-v1", seed=8) as other,
    ):
        np.testing.assert_array_equal(one.reset()[0]["position"], other.reset()[0]["position"])


BESIDE = {"from_pixels": True, "pixels_only": False}


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
        ("walker-walk", {"task_name": "run"}, "task_name is 'run', but the task is 'walk'"),
        ("swimmer-swimmer6", {"task_kwargs": {"n_links": 2}}, "n_links"),
        ("lqr-lqr_2_1", {"task_kwargs": {"n_actuators": 3}}, "n_actuators"),
        ("cheetah-run", {"task_kwargs": {"n_links": 3}}, "n_links"),
        (
            "cheetah-run",
            {**BESIDE, "observation_key": "velocity"},
            "'velocity', which the task itself",
        ),
        (
            "cheetah-run",
            {**BESIDE, "observation_key": "a/b"},
            "'a/b', expected a name without a slash",
        ),
        ("cheetah-run", {**BESIDE, "observation_key": ""}, "'', expected a name"),
        (
            "cheetah-run",
            {"pixels_only": False},
            "pixels_only=False is about the pictures of from_pixels=True",
        ),
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


BACKEND = """
import warnings
warnings.simplefilter("ignore")
import parallel_pool
from parallel_pool_dmc._versions import check_dm_control
try:
    parallel_pool.make_spec("dmc/walker-walk")
except parallel_pool.OptionError as error:
    print(error)
print("doctor:", check_dm_control().hint)
"""


def test_a_backend_that_does_not_work() -> None:
    """Is named, also where nothing is drawn: MuJoCo takes capitals, dm_control does not."""
    printed = python("-c", BACKEND, MUJOCO_GL="EGL")
    assert "cannot be imported with MUJOCO_GL=EGL" in printed
    assert "apt-get install libegl1" in printed
    assert "pip" not in printed
    assert "doctor: unset MUJOCO_GL" in printed
