"""Every task equals dm_control's, bit for bit, with the dm_control and the MuJoCo that are installed.

Always: a whole episode and the reset after it, so that it goes on with the same generator; of tasks that take
a second and more, the beginnings of two episodes. Slow: three seeds, two whole episodes of every task.
"""

import inspect
from typing import Any

import numpy as np
import pytest
from dm_control.suite import lqr_solver
from dmc_originals import BY_NAME, NAMES, control_timestep, played, suite
from parallel_pool.testing import Play
from test_envs.originals import Beside, unrecorded

LONG = ("dog-run", "dog-fetch", "humanoid_CMU-run", "quadruped-escape")
"""Tasks whose whole episodes are slow tests."""
LIKE_ANOTHER = ("dog-stand", "dog-walk", "dog-trot", "humanoid_CMU-stand", "humanoid_CMU-walk")
LIKE_ANOTHER += ("humanoid-walk", "walker-walk")
"""Tasks that are others with another speed in the reward."""
BEGINNING = 30
"""Steps of the long tasks' episodes."""


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_whole_episodes(name: str, beside: Beside) -> None:
    assert played(beside, name, seed=2**32 - 3, episodes=2, **limited(name)).step == 2001


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LONG + LIKE_ANOTHER])
def test_an_episode_and_a_reset(name: str, beside: Beside) -> None:
    how = {"seed": 2**31 - 2, "lanes": 1, "steps": 1003, **limited(name)}
    assert played(beside, name, **how).ended == 1


@pytest.mark.parametrize("name", LONG)
def test_beginnings_of_episodes(name: str, beside: Beside) -> None:
    how = {"seed": 2**31 - 2, "time_limit": BEGINNING * control_timestep(name)}
    assert played(beside, name, episodes=2, **how).step >= 2 * BEGINNING


def limited(name: str) -> dict[str, Any]:
    """1,000 steps for lqr too, whose masses never come to rest with random actions."""
    return {"time_limit": 30} if np.isinf(BY_NAME[name].time_limit) else {}


def test_the_table_is_dm_controls() -> None:
    """Names and time limits of our tasks, and that none is missing."""
    assert {(task.domain, task.name) for task in BY_NAME.values()} == set(suite.ALL_TASKS)
    for task in BY_NAME.values():
        make = suite._DOMAINS[task.domain].SUITE[task.name]
        assert inspect.signature(make).parameters["time_limit"].default == task.time_limit


def test_the_masses_come_to_rest() -> None:
    """With the best controls an episode of lqr ends by itself, with discount 0; and the next one begins.

    The second of the two is the first to end.
    """
    policies: list[Any] = []

    def act(play: Play) -> Any:
        policies.extend(lqr_solver.solve(env.bare)[1] for env in play.originals[len(policies) :])
        states = np.concatenate([*play.obs.values()], axis=1)
        return np.array([policy @ state for policy, state in zip(policies, states, strict=True)])

    play = played(unrecorded, "lqr-lqr_2_1", seed=11, lanes=2, steps=4600, policy=act)
    assert (play.ended > 0).all()
