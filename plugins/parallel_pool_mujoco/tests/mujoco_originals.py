"""Gymnasium's own environments, and how they are played."""

import warnings
from typing import Any

import gymnasium
import mujoco
import numpy as np
from parallel_pool.testing import Play
from parallel_pool_mujoco import _envs as envs
from test_envs.originals import Beside

TASKS = [task.name for task in envs.TASKS]
IDS = [f"{task}-{version}" for task in TASKS for version in ("v4", "v5")]


def reference(task_id: str, **options: Any) -> gymnasium.Env[Any, Any]:
    """Gymnasium's own. It refuses Pusher-v4 for MuJoCo 3, whose physics it was not made for."""
    real = mujoco.__version__
    if task_id == "Pusher-v4":
        mujoco.__version__ = "2.3.7"
    try:
        with warnings.catch_warnings(action="ignore"):  # v4 is out of date
            return gymnasium.make(task_id, **options)
    finally:
        mujoco.__version__ = real


class Unwarned(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Says, as the pool does, that MuJoCo has not warned."""

    def reset(self, **arguments: Any) -> Any:
        obs, info = self.env.reset(**arguments)
        return obs, {**info, "mujoco_warning": 0}

    def step(self, action: Any) -> Any:
        *answer, info = self.env.step(action)
        return *answer, {**info, "mujoco_warning": 0}


def beyond_bounds(play: Play) -> Any:
    """Random actions, some of them a little too large."""
    space: Any = play.pool.single_action_space
    assert all(env.action_space == space for env in play.originals)
    shape = (play.pool.num_envs, *space.shape)
    return play.draw.uniform(1.2 * space.low, 1.2 * space.high, shape).astype(np.float32)


def played(beside: Beside, task_id: str, *, lanes: int = 1, **how: Any) -> Play:
    """Beside Gymnasium; every info too. how: options too."""

    def original(**options: Any) -> Any:
        return Unwarned(reference(task_id, **options))

    return beside(task_id, original, beyond_bounds, num_envs=lanes, infos=None, **how)
