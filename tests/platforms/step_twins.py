"""step_twins.py mujoco|dmc|landers|walkers: steps the tasks of rows.py beside Gymnasium's or dm_control's.

Observations and rewards have to be the same to the last bit. Says "N tasks equal" at the end.
"""

import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
from parallel_pool.testing import Play, play_beside
from rows import GROUPS


class OfDmControl(gymnasium.Env[Any, Any]):
    """A task of dm_control's suite."""

    def __init__(self, name: str) -> None:
        self.domain, _, self.task = name.removesuffix("-v1").partition("-")

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        from dm_control import suite

        if seed is not None:
            self.env = suite.load(self.domain, self.task, task_kwargs={"random": seed})
        return self.seen(self.env.reset()), {}

    def step(self, action: Any) -> Any:
        answer = self.env.step(action)
        terminated = answer.discount == 0
        return self.seen(answer), answer.reward, terminated, answer.last() and not terminated, {}

    @staticmethod
    def seen(answer: Any) -> Any:
        """Numbers as arrays, as the pool has them."""
        return {name: np.asarray(value, np.float64) for name, value in answer.observation.items()}


def drawn(play: Play) -> Any:
    space: Any = play.pool.single_action_space
    if isinstance(space, gymnasium.spaces.Discrete):
        return play.sample()
    low, high = np.clip(space.low, -1, 1), np.clip(space.high, -1, 1)
    return play.draw.uniform(low, high, (play.pool.num_envs, *space.shape)).astype(space.dtype)


def step_beside(env_id: str, options: Mapping[str, Any]) -> None:
    family, _, name = env_id.partition("/")
    theirs = partial(OfDmControl, name) if family == "dmc" else partial(gymnasium.make, name)
    with parallel_pool.make(env_id, num_envs=2, **options) as pool:
        play_beside(pool, partial(theirs, **options), drawn, seed=7, steps=50)


if __name__ == "__main__":
    cases = GROUPS[sys.argv[1]]
    for case in cases:
        step_beside(case.id, case.options)
    print(f"{len(cases)} tasks equal")
