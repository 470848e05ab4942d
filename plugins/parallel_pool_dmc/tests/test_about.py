"""What is said of joints, actuators and rewards is so in dm_control's models and tasks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import parallel_pool
import pytest
from dm_control import suite
from dm_control.mujoco.wrapper.mjbindings import enums
from parallel_pool_dmc._about.bodies import ACTUATORS, JOINTS
from parallel_pool_dmc._models import compiled

TASKS = {domain: task for domain, task in reversed(suite.ALL_TASKS)}
"""One of each domain."""


@pytest.mark.parametrize("domain", sorted(JOINTS))
def test_names_of_joints(domain: str) -> None:
    model = compiled(domain, TASKS[domain])
    root = ("rootx", "rootz", "rooty")
    hinges = [
        model.joint(number).name
        for number in range(model.njnt)
        if model.jnt_type[number] == enums.mjtJoint.mjJNT_HINGE
        and model.joint(number).name not in root
    ]
    if domain in ("manipulator", "stacker"):  # observations have an order of their own
        assert sorted(JOINTS[domain]) == sorted(hinges[:8])
        module = getattr(suite, domain)
        assert list(JOINTS[domain]) == module._ARM_JOINTS
    else:
        assert list(JOINTS[domain]) == hinges


@pytest.mark.parametrize("domain", sorted(ACTUATORS))
def test_units_of_actions(domain: str) -> None:
    model = compiled(domain, TASKS[domain])
    assert list(ACTUATORS[domain]) == [model.actuator(number).name for number in range(model.nu)]
    for number, (name, (_, unit)) in enumerate(ACTUATORS[domain].items()):
        servo = model.actuator_biastype[number] != enums.mjtBias.mjBIAS_NONE
        assert servo == (unit == "rad"), name
        if not servo:
            one = model.actuator_gear[number, 0] * model.actuator_gainprm[number, 0]
            said = float(unit.split()[0]) if unit[0].isdigit() else 1.0
            assert said == pytest.approx(one), name


def soft(excess: Any, margin: float) -> Any:
    return 0.1 ** ((np.maximum(0, excess) / margin) ** 2)


def effort(action: Any) -> Any:
    return (4 + np.maximum(0, 1 - action**2).mean(-1)) / 5


def cartpole(obs: Any, action: Any) -> Any:
    x, cosine = obs["position"][:, 0], obs["position"][:, 1]
    calm = (1 + soft(np.abs(obs["velocity"][:, 1]), 5)) / 2
    push = (4 + np.maximum(0, 1 - action[:, 0] ** 2)) / 5
    return (1 + cosine) / 2 * push * calm * (1 + soft(np.abs(x), 2)) / 2


def fish(obs: Any, action: Any) -> Any:
    distance = np.linalg.norm(obs["target"], axis=-1)
    return (7 * soft(distance - 0.045, 0.09) + (1 + obs["upright"]) / 2) / 8


def humanoid(obs: Any, action: Any) -> Any:
    upright = np.minimum(1, (1 + obs["torso_vertical"][:, 2]) / 1.9)
    speed = np.linalg.norm(obs["com_velocity"][:, :2], axis=-1)
    move = (5 * np.clip(speed / 1, 0, 1) + 1) / 6
    return soft(1.4 - obs["head_height"], 0.35) * upright * effort(action) * move


def lqr(obs: Any, action: Any) -> Any:
    return 1 - ((obs["position"] ** 2).sum(-1) + 0.1 * (action**2).sum(-1)) / 2


def quadruped(obs: Any, action: Any) -> Any:
    move = np.clip((1 + obs["torso_velocity"][:, 0] / 0.5) / 2, 0, 1)
    return (1 + obs["torso_upright"]) / 2 * move


def stacker(obs: Any, action: Any) -> Any:
    places = obs["box_pos"][:, :, :2] - obs["target_pos"][:, None]
    return soft(np.linalg.norm(places, axis=-1).min(-1), 0.044)  # the hand is far


def swimmer(obs: Any, action: Any) -> Any:
    distance = np.linalg.norm(obs["to_target"], axis=-1)
    return 1 / (1 + (6 * np.maximum(0, distance - 0.1)) ** 2)


def walker(obs: Any, action: Any) -> Any:
    return (3 * soft(1.2 - obs["height"], 0.6) + (1 + obs["orientations"][:, 0]) / 2) / 4


@pytest.mark.parametrize(
    ("task", "reward"),
    [
        ("cartpole-swingup", cartpole),
        ("fish-swim", fish),
        ("humanoid-walk", humanoid),
        ("lqr-lqr_6_2", lqr),
        ("quadruped-walk", quadruped),
        ("stacker-stack_2", stacker),
        ("swimmer-swimmer6", swimmer),
        ("walker-stand", walker),
    ],
)
def test_rewards_are_the_formulas(task: str, reward: Callable[[Any, Any], Any]) -> None:
    """Of observations and actions, where the formula needs nothing else."""
    with parallel_pool.make(f"dmc/{task}", num_envs=8, num_threads=1, seed=1) as pool:
        pool.reset()
        for _ in range(5):
            action = np.clip(pool.action_space.sample(), -1, 1)
            obs, rewards, *_ = pool.step(action)
            np.testing.assert_allclose(rewards, reward(obs, action), rtol=1e-5, atol=1e-7)
