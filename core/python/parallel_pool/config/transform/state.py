"""What a pool keeps for its transform from batch to batch: statistics, sums of rewards, stacked frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.config.transform import Transform
from parallel_pool.config.transform.rewards import RewardState
from parallel_pool.config.transform.stages import Frames, Stack
from parallel_pool.pool_errors import REFUSALS
from parallel_pool.schema.result_tree import HostColumn, Node, TrailColumn, Transformed
from parallel_pool.schema.running_statistics import RunningStatistics


class TransformState:
    """Belongs to one pool. Its result trees change it."""

    def __init__(self, transform: Transform, num_envs: int, *, trails: bool = False) -> None:
        """trails: whether rows have what the steps of a chunk before the last have shown."""
        self._transform = transform
        self._trails = trails
        self._stages = {
            number: [(stage, stage.state(num_envs)) for stage in stages]
            for number, stages in transform.stages.items()
        }
        self._rewards = RewardState.of(transform.arguments, num_envs)
        steps = HostColumn("chunk_steps")
        self._chunk_rewards = self._rewards.node(HostColumn("chunk_rewards"), steps)

    def obs(self, number: int, column: Callable[[int], Node], *, final: bool) -> Node:
        """The observation of this number, made of the environment's own columns."""
        node = self._joined(number, column)
        trail = self._joined(number, TrailColumn) if self._trails and not final else None
        for stage, state in self._stages[number]:
            if isinstance(stage, Stack) and isinstance(state, Frames):
                node, trail = stage.node(node, state, final=final, trail=trail), None
            else:
                node = stage.node(node, state, final=final)
                trail = None if trail is None else stage.node(trail, state, final=final)
        return node

    def _joined(self, number: int, column: Callable[[int], Node]) -> Node:
        vector = self._transform.vector
        if vector is None:
            return column(number)
        return Transformed(partial(_flat, vector.dtype), tuple(map(column, vector.numbers)))

    def reward(self, column: Node) -> Node:
        """The reward, made of this column of rewards and of its dtype."""
        return self._rewards.node(column) if self.changes_rewards else column

    def chunk_rewards(self) -> Node:
        """The reward of each step of a chunk."""
        return self._chunk_rewards if self.changes_rewards else HostColumn("chunk_rewards")

    @property
    def changes_rewards(self) -> bool:
        """Whether rewards are not the environment's own."""
        return self._transform.changes_rewards

    @property
    def reward_statistics(self) -> RunningStatistics | None:
        """The statistics of the discounted sums of rewards; None: rewards are not normalised."""
        return self._rewards.statistics

    @property
    def normalizes_obs(self) -> bool:
        """Whether any observation is normalised."""
        return self._transform.arguments.normalize_obs

    def obs_statistics(self, number: int) -> RunningStatistics | None:
        """The statistics of the observation of this number; None: it is not normalised."""
        states = (state for _, state in self._stages[number])
        return next((state for state in states if isinstance(state, RunningStatistics)), None)

    @contextmanager
    def beginning(self, env_ids: npt.NDArray[np.int32]) -> Iterator[None]:
        """The sums of rewards of these environments begin anew, unless the reset in the block is refused."""
        sums = self._rewards.sums
        before, sums[env_ids] = sums[env_ids], 0
        try:
            yield
        except REFUSALS:
            sums[env_ids] = before
            raise

    def restored(self, env_id: Any) -> None:
        """The next observation of these environments (None: all) is like the first of an episode."""
        for stack in self._stacks():
            stack.begins[slice(None) if env_id is None else np.asarray(env_id)] = True

    def state_dict(self) -> dict[str, Any]:
        """What `load_state_dict` takes, in another pool of the same kind: to be pickled, not copied."""
        return {
            "observations": {number: self.obs_statistics(number) for number in self._stages},
            "rewards": self._rewards.statistics,
            "sums": self._rewards.sums,
            "frames": [stack.frames for stack in self._stacks()],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from the state of another pool."""
        for number in self._stages:
            ours = self.obs_statistics(number)
            if ours is not None:
                ours.assign(state["observations"][number])
        self._rewards.load(state["rewards"], state["sums"])
        for stack, frames in zip(self._stacks(), state["frames"], strict=True):
            stack.load(frames)

    def _stacks(self) -> Iterator[Frames]:
        for stages in self._stages.values():
            yield from (state for _, state in stages if isinstance(state, Frames))


def _flat(dtype: npt.DTypeLike, *parts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The parts as one vector for each row."""
    return np.concatenate([each.reshape(len(each), -1) for each in parts], axis=1, dtype=dtype)
