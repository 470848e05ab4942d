"""Every task equals dm_control's, bit for bit, with the dm_control and the MuJoCo that are installed.

Three seeds, two episodes of each, so that a reset goes on with the same generator. Whole episodes in the slow
tests, and always where they are cheap; elsewhere the beginnings of episodes.
"""

from __future__ import annotations

import inspect

import numpy as np
import parallel_pool
import pytest
from dmc_twin import BY_NAME, NAMES, Twin, control_timestep, reference, suite

WHOLE = ("cheetah-run", "cartpole-balance")
"""Tasks whose whole episodes are always run."""
LIKE_ANOTHER = ("dog-stand", "dog-walk", "dog-trot", "humanoid_CMU-stand", "humanoid_CMU-walk")
"""Tasks that are others with another speed in the reward, and take seconds to compile."""
BEGINNING = 30
"""Steps of the others' episodes."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in LIKE_ANOTHER else name
        for name in NAMES
        if name not in WHOLE
    ],
)
def test_beginnings_of_episodes(name: str) -> None:
    check(Twin(name, seed=2**31 - 2, time_limit=BEGINNING * control_timestep(name)))


@pytest.mark.parametrize(
    "name",
    [name if name in WHOLE else pytest.param(name, marks=pytest.mark.slow) for name in NAMES],
)
def test_whole_episodes(name: str) -> None:
    endless = np.isinf(BY_NAME[name].time_limit)  # with random actions
    check(Twin(name, seed=2**32 - 3, **({"time_limit": 30} if endless else {})))


def check(twin: Twin) -> None:
    assert twin.run(episodes=2) >= 2 * BEGINNING
    twin.close()


def test_the_table_is_dm_controls() -> None:
    """Names and time limits of our tasks, and that none is missing."""
    assert {(task.domain, task.name) for task in BY_NAME.values()} == set(suite.ALL_TASKS)
    for task in BY_NAME.values():
        make = suite._DOMAINS[task.domain].SUITE[task.name]
        assert inspect.signature(make).parameters["time_limit"].default == task.time_limit


@pytest.mark.slow  # compiles every model
def test_the_number_of_steps_is_dm_controls() -> None:
    for name, task in BY_NAME.items():
        original = reference(task, 0)
        config = parallel_pool.make_spec(f"dmc/{name}").config
        assert config.max_episode_steps == (
            None if np.isinf(task.time_limit) else original._step_limit
        )
