"""Plain Python twins of environments of test_envs.cpp, and how to play a pool against Gymnasium's own."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from test_envs.pools import WALKS, make

MODES = ("NextStep", "SameStep", "Disabled")
every_mode = pytest.mark.parametrize("mode", MODES)

OURS = {"env_id", "elapsed_step", "final_obs_dense", "episode"}
"""Info keys that the pool has and Gymnasium's vector environments have not."""


class PyCount(gymnasium.Env[Any, Any]):
    def __init__(self, max_count: int = 5, truncate_at: int = 0, scale: float = 1.0) -> None:
        self.max_count, self.truncate_at, self.scale = max_count, truncate_at, scale
        limits = np.iinfo(np.int32)
        self.observation_space = spaces.Box(limits.min, limits.max, (), np.int32)
        self.action_space = spaces.Discrete(3)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.count, self.sum = 0, 0.0
        return np.array(0, np.int32), {"total": 0.0}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.count += 1
        reward = self.scale * float(action)
        self.sum += reward
        ends = (self.count >= self.max_count, self.count == self.truncate_at)
        return np.array(self.count, np.int32), reward, *ends, {"total": self.sum}


class PyWalk(gymnasium.Env[Any, Any]):
    """test/Walk-v0: ends at random, so that episodes of one pool end apart."""

    def __init__(self) -> None:
        self.observation_space = spaces.Box(-np.inf, np.inf, (2,), np.float64)
        self.action_space = spaces.Discrete(3)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.position = self.np_random.uniform(-1, 1)
        return np.array([self.position, 0.0]), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        noise = self.np_random.random()
        self.position += (int(action) - 1) * noise
        obs = np.array([self.position, noise])
        return obs, float(self.position), bool(noise < 0.1), False, {}


TWINS: dict[str, Any] = {"Count": PyCount, **dict.fromkeys(WALKS, PyWalk)}


def both(
    name: str,
    num_envs: int,
    mode: str,
    *,
    limit: int | None = None,
    pool: dict[str, Any] | None = None,
    **options: Any,
) -> tuple[Any, Any]:
    """(our pool, Gymnasium's vector environment) of the same environment; `pool`: more for ours."""

    def twin() -> Any:
        env = TWINS[name](**options)
        return env if limit is None else TimeLimit(env, limit)

    theirs = SyncVectorEnv([twin] * num_envs, autoreset_mode=mode)
    mine = make(
        name,
        num_envs=num_envs,
        autoreset_mode=mode,
        max_episode_steps=limit,
        **(pool or {}),
        **options,
    )
    for space in ("observation_space", "single_observation_space", "action_space"):
        assert getattr(mine, space) == getattr(theirs, space)
    return mine, theirs


def with_and_without(task_id: str, transform: dict[str, Any], **arguments: Any) -> list[Any]:
    """Pools of the same environments, of which the first has this transform."""
    given: list[dict[str, Any]] = [{"transform": transform}, {}]
    return [parallel_pool.make(task_id, **{"seed": 0, **arguments}, **each) for each in given]


def assert_same(mine: Any, theirs: Any) -> None:
    """Equal in type, shape, dtype and value; infos on the keys that Gymnasium's have."""
    if isinstance(theirs, dict):
        extra = set(mine) - set(theirs)
        assert extra <= OURS | {f"_{key}" for key in OURS}, extra
        for key, value in theirs.items():
            assert_same(mine[key], value)
    elif isinstance(theirs, tuple):
        assert len(mine) == len(theirs)
        for one, other in zip(mine, theirs, strict=True):
            assert_same(one, other)
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        for one, other in zip(mine, theirs, strict=True):
            if other is None or np.ndim(other) > 0:
                assert_same(one, other)
            else:  # numpy puts the number in place of an array without dimensions
                assert one == other
    elif theirs is None:
        assert mine is None
    else:
        assert data_equivalence(mine, theirs, exact=True), (mine, theirs)


def play(mine: Any, theirs: Any, steps: int, seed: int = 0) -> int:
    """Steps both with the same actions, and resets by hand where neither pool does. Counts ends."""
    by_hand = theirs.unwrapped.metadata["autoreset_mode"].value == "Disabled"
    actions = np.random.default_rng(seed)
    ends = 0
    for _ in range(steps):
        action = actions.integers(0, theirs.single_action_space.n, theirs.num_envs)
        one, other = mine.step(action), theirs.step(action)
        assert_same(one, other)
        over = other[2] | other[3]
        ends += int(over.sum())
        if by_hand and over.any():
            assert_same(*reset_masked(mine, theirs, over))
    return ends


def reset_masked(mine: Any, theirs: Any, mask: Any, seed: Any = None) -> tuple[Any, Any]:
    """Both reset the environments of `mask`."""
    return (
        mine.reset(seed=seed, options={"reset_mask": mask.copy()}),
        theirs.reset(seed=seed, options={"reset_mask": mask.copy()}),
    )
