"""model_overrides of the Control Suite; what they may be is tested with the tasks of Gymnasium."""

import mujoco
import numpy as np
import parallel_pool
import pytest
from dm_control import suite
from parallel_pool import EnvError
from test_envs import override_fuzz


def test_equal_to_dm_control_with_the_same_assignments() -> None:
    env = suite.load("cheetah", "run", task_kwargs={"random": 3})
    model = env.physics.model.ptr
    masses = model.body_mass * 1.5
    model.body_mass[:], model.geom_friction[:] = masses, 0.3
    mujoco.mj_setConst(model, mujoco.MjData(model))
    overrides = {"body_mass": masses, "geom_friction": 0.3}
    with parallel_pool.make("dmc/cheetah-run", seed=3, model_overrides=overrides) as pool:
        obs = pool.reset()[0]
        expected = env.reset().observation
        for _ in range(30):
            np.testing.assert_array_equal(obs["position"][0], expected["position"])
            np.testing.assert_array_equal(obs["velocity"][0], expected["velocity"])
            action = np.linspace(-1, 1, 6)
            expected = env.step(action).observation
            obs = pool.step(action[None])[0]


SLOW_RESETS = ["humanoid-stand", "manipulator-bring_ball", "stacker-stack_2"]


@pytest.mark.parametrize(
    "task_id",
    ["ball_in_cup-catch", *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW_RESETS)],
)
def test_a_reset_that_finds_no_place_ends(task_id: str) -> None:
    """dm_control looks for one without end."""
    overrides = {"geom_margin": 1, "opt.iterations": 0}
    with (
        parallel_pool.make(f"dmc/{task_id}", model_overrides=overrides) as pool,
        pytest.raises(EnvError, match=r"no position without a contact in 10000 attempts|MuJoCo"),
    ):
        pool.reset(seed=0)


MANY = ("cheetah-run", "hopper-hop", "finger-spin", "ball_in_cup-catch")


@pytest.mark.parametrize(
    ("task_id", "seed", "count"),
    [
        ("cheetah-run", 1, 60),
        *(pytest.param(each, 2, 1250, marks=pytest.mark.slow) for each in MANY),
    ],
)
def test_hostile_overrides(task_id: str, seed: int, count: int) -> None:
    ends = override_fuzz.fuzz(f"dmc/{task_id}", seed=seed, count=count)
    assert ends["refused"] > count // 2 and ends["played"] > count // 40, ends
