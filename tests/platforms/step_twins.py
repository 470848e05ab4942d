"""step_twins.py mujoco|dmc|landers|walkers: steps the tasks of rows.py beside Gymnasium's or dm_control's.

Observations and rewards have to be the same to the last bit. Says "N tasks equal" at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
from rows import GROUPS

ENVS = 2
STEPS = 50
SEED = 7


class OfGymnasium:
    """Environments of Gymnasium."""

    def __init__(self, env_id: str, options: Mapping[str, Any]) -> None:
        name = env_id.partition("/")[2]
        self.envs = [gymnasium.make(name, **options) for _ in range(ENVS)]

    def reset(self) -> Any:
        """Observations."""
        return np.array([env.reset(seed=SEED + i)[0] for i, env in enumerate(self.envs)])

    def step(self, actions: np.ndarray[Any, Any]) -> tuple[Any, np.ndarray[Any, Any], bool]:
        """Observations, rewards, and whether an episode is over."""
        steps = [env.step(action) for env, action in zip(self.envs, actions, strict=True)]
        obs, rewards = np.array([each[0] for each in steps]), np.array([each[1] for each in steps])
        return obs, rewards, any(each[2] or each[3] for each in steps)


class OfDmControl:
    """Environments of dm_control's suite."""

    def __init__(self, env_id: str, options: Mapping[str, Any]) -> None:
        from dm_control import suite

        assert not options

        domain, _, task = env_id.removeprefix("dmc/").removesuffix("-v1").partition("-")
        self.envs = [
            suite.load(domain, task, task_kwargs={"random": SEED + i}) for i in range(ENVS)
        ]

    def reset(self) -> Any:
        """Observations by name."""
        return self._observed([env.reset() for env in self.envs])

    def step(self, actions: np.ndarray[Any, Any]) -> tuple[Any, np.ndarray[Any, Any], bool]:
        """Observations by name, rewards, and whether an episode is over."""
        steps = [env.step(action) for env, action in zip(self.envs, actions, strict=True)]
        over = any(each.last() for each in steps)
        return self._observed(steps), np.array([each.reward for each in steps]), over

    @staticmethod
    def _observed(steps: list[Any]) -> Any:
        return {name: np.array([each.observation[name] for each in steps]) for name in steps[0][3]}


def expect_equal(obs: Any, original: Any, where: str) -> None:
    """Raises AssertionError."""
    if isinstance(original, dict):
        assert obs.keys() == original.keys(), where
        for name in original:
            expect_equal(obs[name], original[name], f"{where}, {name}")
    else:
        assert np.array_equal(obs, original), f"{where}: {obs} and not {original}"


def drawn(space: Any, draw: np.random.Generator) -> np.ndarray[Any, Any]:
    """Actions of all environments."""
    if isinstance(space, gymnasium.spaces.Discrete):
        return draw.integers(space.n, size=ENVS)
    low, high = np.clip(space.low, -1, 1), np.clip(space.high, -1, 1)
    return draw.uniform(low, high, (ENVS, *space.shape)).astype(space.dtype)


def step_beside(env_id: str, options: Mapping[str, Any]) -> None:
    """A pool beside its original."""
    original = (OfDmControl if env_id.startswith("dmc/") else OfGymnasium)(env_id, options)
    draw = np.random.default_rng(1)
    with parallel_pool.make(env_id, num_envs=ENVS, seed=SEED, **options) as pool:
        space = pool.single_action_space
        expect_equal(pool.reset()[0], original.reset(), f"{env_id}, reset")
        for step in range(STEPS):
            actions = drawn(space, draw)
            obs, rewards, *_ = pool.step(actions)
            theirs, paid, over = original.step(actions)
            expect_equal(obs, theirs, f"{env_id}, step {step}")
            expect_equal(rewards, paid, f"{env_id}, rewards of step {step}")
            if over:
                break


if __name__ == "__main__":
    cases = GROUPS[sys.argv[1]]
    for case in cases:
        step_beside(case.id, case.options)
    print(f"{len(cases)} tasks equal")
