"""EnvPool's names of options, and its older ids, mean what they mean there."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError
from test_envs.pools import begun

SAME: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "Ant-v5",
        {"healthy_z_min": 0.3, "contact_force_max": 0.5},
        {"healthy_z_range": (0.3, 1.0), "contact_force_range": (-1.0, 0.5)},
    ),
    ("Ant-v4", {"use_contact_force": True}, {"use_contact_forces": True}),
    (
        "Hopper-v5",
        {"healthy_z_min": 0.9, "healthy_angle_max": 0.1, "healthy_state_min": -3},
        {
            "healthy_z_range": (0.9, np.inf),
            "healthy_angle_range": (-0.2, 0.1),
            "healthy_state_range": (-3, 100),
        },
    ),
    ("Humanoid-v5", {"contact_cost_max": 0.01}, {"contact_cost_range": (-np.inf, 0.01)}),
    (
        "HumanoidStandup-v5",
        {"contact_cost_weight": 1e-4, "contact_cost_max": 0.1},
        {"impact_cost_weight": 1e-4, "impact_cost_range": (-np.inf, 0.1)},
    ),
    (
        "Pusher-v5",
        {"ctrl_cost_weight": 1, "dist_cost_weight": 2, "near_cost_weight": 3},
        {"reward_control_weight": 1, "reward_dist_weight": 2, "reward_near_weight": 3},
    ),
    ("Reacher-v5", {"ctrl_cost_weight": 0.3}, {"reward_control_weight": 0.3}),
    ("Walker2d-v5", {"healthy_angle_min": -0.1}, {"healthy_angle_range": (-0.1, 1.0)}),
    ("Ant-v3", {}, {"post_constraint": False}),
]


@pytest.mark.parametrize(("task_id", "theirs", "ours"), SAME)
def test_names(task_id: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    with (
        parallel_pool.make(task_id, num_envs=2, seed=1, **theirs) as one,
        parallel_pool.make(task_id, num_envs=2, seed=1, **ours) as other,
    ):
        np.testing.assert_array_equal(one.reset()[0], other.reset()[0])
        for _ in range(30):
            action = one.action_space.sample()
            np.testing.assert_equal(one.step(action)[:4], other.step(action)[:4])


# Sizes as EnvPool 1.2.5 has them.
OLD = {
    "Ant-v3": 111,
    "HalfCheetah-v3": 17,
    "Hopper-v3": 11,
    "Humanoid-v3": 376,
    "HumanoidStandup-v2": 376,
    "InvertedDoublePendulum-v2": 11,
    "InvertedPendulum-v2": 4,
    "Pusher-v2": 23,
    "Reacher-v2": 11,
    "Swimmer-v3": 8,
    "Walker2d-v3": 17,
}


@pytest.mark.parametrize("task_id", OLD)
def test_older_ids_are_v4_with_contact_forces_at_zero(task_id: str) -> None:
    v4 = f"{task_id.partition('-')[0]}-v4"
    with parallel_pool.make(task_id, seed=1) as old, parallel_pool.make(v4, seed=1) as new:
        assert old.single_observation_space.shape == (OLD[task_id],)
        left, right = old.reset()[0], new.reset()[0]
        for _ in range(20):
            size = min(left.shape[1], right.shape[1])
            forces = {"Humanoid": 84, "HumanoidStandup": 84}.get(task_id.partition("-")[0], 0)
            np.testing.assert_array_equal(left[:, : size - forces], right[:, : size - forces])
            if task_id in ("Ant-v3", "Humanoid-v3", "HumanoidStandup-v2"):
                assert (left[:, -84:] == 0).all()
            action = old.action_space.sample()
            left, reward, *_ = old.step(action)
            right, wanted, *_ = new.step(action)
            if task_id != "HumanoidStandup-v2":
                np.testing.assert_array_equal(reward, wanted)


# The keys of EnvPool 1.2.5, and what Gymnasium's v5 calls them.
INFO = {
    "HalfCheetah-v5": {"reward_run": "reward_forward"},
    "Humanoid-v5": {
        "reward_linvel": "reward_forward",
        "reward_quadctrl": "reward_ctrl",
        "reward_alive": "reward_survive",
        "reward_impact": "reward_contact",
    },
    "HumanoidStandup-v5": {"reward_alive": "reward_alive", "reward_impact": "reward_impact"},
    "Swimmer-v5": {"reward_fwd": "reward_forward"},
    "Ant-v5": {"reward_forward": "reward_forward", "reward_contact": "reward_contact"},
    "HalfCheetah-v4": {"reward_run": "reward_run"},
    "Swimmer-v3": {"reward_fwd": "reward_fwd"},
}


@pytest.mark.parametrize("task_id", INFO)
def test_infos_have_envpools_names_in_its_views(task_id: str) -> None:
    options: dict[str, Any] = {"num_envs": 2, "seed": 1, "autoreset_mode": "SameStep"}
    options["max_episode_steps"] = 1
    with begun(
        parallel_pool.make(task_id, **options),
        parallel_pool.make(task_id, "gym", **options),
        parallel_pool.make(task_id, "dm", **options),
    ) as (one, gym, dm):
        action = np.full((2, *one.single_action_space.shape), 0.1)
        wanted, info = one.step(action)[4]["final_info"], gym.step(action)[4]
        dm.step(action)
        seen = dm.step(action).observation
        for theirs, ours in INFO[task_id].items():
            np.testing.assert_array_equal(info["final_info"][theirs], wanted[ours])
            assert theirs in info and hasattr(seen, theirs)
            assert hasattr(dm.observation_spec(), theirs)
            if theirs != ours:
                assert ours not in info and not hasattr(seen, ours)


def test_the_camera_is_that_of_the_version() -> None:
    for task_id, v5 in (("Ant-v5", True), ("Ant-v4", False)):
        parallel_pool.make_spec(task_id, gymnasium_v5_render_camera=v5)
        with pytest.raises(OptionError, match=f"gymnasium_v5_render_camera is {not v5}"):
            parallel_pool.make_spec(task_id, gymnasium_v5_render_camera=not v5)
