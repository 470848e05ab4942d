"""Steps a pool and one Gymnasium environment per lane with the same actions; all must be equal.

Equal means every bit: observations, rewards, ends, and every key of `info` with its dtype. The pool resets
an ended environment in its next step (NEXT_STEP); so do we with the references.
"""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import mujoco
import numpy as np
import parallel_pool
from test_envs.lockstep import Lockstep

TASKS = [
    "Ant",
    "HalfCheetah",
    "Hopper",
    "Humanoid",
    "HumanoidStandup",
    "InvertedDoublePendulum",
    "InvertedPendulum",
    "Pusher",
    "Reacher",
    "Swimmer",
    "Walker2d",
]
IDS = [f"{task}-{version}" for task in TASKS for version in ("v4", "v5")]


def reference(task_id: str, **options: Any) -> gymnasium.Env[Any, Any]:
    """Gymnasium's own. It refuses Pusher-v4 for MuJoCo 3, whose physics it was not made for."""
    real = mujoco.__version__
    if task_id == "Pusher-v4":
        mujoco.__version__ = "2.3.7"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # v4 is out of date
            return gymnasium.make(task_id, **options)
    finally:
        mujoco.__version__ = real


class Twin:
    def __init__(
        self,
        task_id: str,
        lanes: int = 1,
        pool_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.references = [reference(task_id, **options) for _ in range(lanes)]
        self.pool = parallel_pool.make(
            task_id, num_envs=lanes, num_threads=2, **options, **(pool_options or {})
        )
        assert self.pool.single_action_space == self.references[0].action_space
        self.compared = Lockstep(task_id)
        self.ended = [False] * lanes
        self.episodes = 0

    def reset(self, seed: int) -> None:
        self.compared = Lockstep(self.compared.env_id, seed)
        obs, info = self.pool.reset(seed=seed)
        for lane, env in enumerate(self.references):
            expected, wanted = env.reset(seed=seed + lane)
            self._same(obs[lane], info, lane, expected, wanted)
        self.ended = [False] * len(self.references)

    def step(self, actions: np.ndarray[Any, Any], where: int | str = "") -> None:
        self.compared.step = where
        obs, reward, terminated, truncated, info = self.pool.step(actions)
        for lane, env in enumerate(self.references):
            if self.ended[lane]:
                expected, wanted = env.reset()
                ends: tuple[float, bool, bool] = (0.0, False, False)
            else:
                expected, gain, term, trunc, wanted = env.step(actions[lane])
                ends = (float(gain), term, trunc)
            rewarded = (reward[lane], terminated[lane], truncated[lane])
            assert rewarded == ends, f"{self.compared.place(lane)}: {rewarded}, not {ends}"
            self._same(obs[lane], info, lane, expected, wanted)
            self.ended[lane] = ends[1] or ends[2]
            self.episodes += self.ended[lane]

    def run(self, steps: int, seed: int, scale: float = 1.2) -> None:
        """Random actions, some beyond the bounds of the action space."""
        draw = np.random.default_rng(seed)
        space = self.references[0].action_space
        assert isinstance(space, gymnasium.spaces.Box)
        shape = (len(self.references), *space.shape)
        for step in range(steps):
            actions = draw.uniform(scale * space.low, scale * space.high, shape)
            self.step(actions.astype(np.float32), step)

    def _same(
        self,
        obs: np.ndarray[Any, Any],
        info: dict[str, Any],
        lane: int,
        expected: np.ndarray[Any, Any],
        wanted: dict[str, Any],
    ) -> None:
        self.compared.same(lane, "observation", obs, expected)
        for key, value in wanted.items():
            self.compared.same(lane, f"info[{key!r}]", info[key][lane], value)
        self.compared.same(lane, "mujoco_warning", info["mujoco_warning"][lane], 0, dtype=False)

    def close(self) -> None:
        self.pool.close()
        for env in self.references:
            env.close()
