"""Ids and options of the family."""

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError


@pytest.mark.parametrize(
    "task_id", ["LunarLander-v3", "LunarLanderContinuous-v3", "LunarLander-v2"]
)
@pytest.mark.parametrize("continuous", [False, True])
def test_continuous_chooses_the_actions(task_id: str, continuous: bool) -> None:
    with parallel_pool.make(task_id, num_envs=2, continuous=continuous) as envs:
        assert envs.single_action_space.shape == ((2,) if continuous else ())
        envs.reset(seed=0)
        assert envs.spec.id == f"box2d/LunarLander{'Continuous' if continuous else ''}-v3"


@pytest.mark.parametrize("continuous", [None, 1.0, "yes", [True, False], np.array([True])])
def test_what_chooses_nothing_is_refused(continuous: object) -> None:
    with pytest.raises(OptionError, match=r"continuous is .*, expected False or True"):
        parallel_pool.make("LunarLander-v3", num_envs=2, continuous=continuous)


@pytest.mark.parametrize("gravity", [0.0, -12.0, 3.0, float("nan")])
def test_gravity_is_as_gymnasium_wants_it(gravity: float) -> None:
    with pytest.raises(OptionError, match="gravity"):
        parallel_pool.make("LunarLander-v3", gravity=gravity)


def test_limits_and_thresholds() -> None:
    for task_id, limit, threshold in (
        ("LunarLander-v3", 1000, 200),
        ("LunarLanderContinuous-v3", 1000, 200),
        ("BipedalWalker-v3", 1600, 300),
        ("BipedalWalkerHardcore-v3", 2000, 300),
    ):
        spec = parallel_pool.make_spec(task_id)
        assert (spec.max_episode_steps, spec.reward_threshold) == (limit, threshold)
