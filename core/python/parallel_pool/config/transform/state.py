"""What a pool keeps for its transform from batch to batch: statistics, sums of rewards, stacked frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from parallel_pool.config.transform import Transform
from parallel_pool.config.transform.stages import Frames
from parallel_pool.schema.result_tree import Flattened, LearningReward, Node
from parallel_pool.schema.running_statistics import RunningStatistics


class TransformState:
    """Belongs to one pool, whose result trees change it."""

    def __init__(self, transform: Transform, num_envs: int) -> None:
        self._transform = transform
        self._stages = {
            number: [(stage, stage.state(num_envs)) for stage in stages]
            for number, stages in transform.stages.items()
        }
        self.reward_statistics = (
            RunningStatistics() if transform.arguments.normalize_reward else None
        )
        self._sums = np.zeros(num_envs, np.float32)
        """The discounted sum of rewards of each environment."""

    def obs(self, number: int, column: Callable[[int], Node], *, final: bool) -> Node:
        """The observation of this number, made of the environment's own columns."""
        vector = self._transform.vector
        if vector is None:
            node = column(number)
        else:
            parts = tuple(column(each) for each in vector.numbers)
            node = Flattened(parts, vector.dtype, vector.width)
        for stage, state in self._stages[number]:
            node = stage.node(node, state, final=final)
        return node

    def reward(self, column: Node, *, same_step: bool) -> Node:
        """The reward, made of this column of rewards and of its dtype."""
        arguments = self._transform.arguments
        plain = arguments.scale_reward == 1.0 and arguments.clip_reward is None
        if plain and self.reward_statistics is None:
            return column
        return LearningReward(
            column,
            self.reward_statistics,
            self._sums,
            same_step=same_step,
            gamma=arguments.gamma,
            epsilon=arguments.epsilon,
            scale=arguments.scale_reward,
            clip=arguments.clip_reward,
        )

    @property
    def normalizes_obs(self) -> bool:
        """Whether any observation is normalised."""
        return self._transform.arguments.normalize_obs

    def obs_statistics(self, number: int) -> RunningStatistics | None:
        """Of the observation of this number; None: it is not normalised."""
        states = (state for _, state in self._stages[number])
        return next((state for state in states if isinstance(state, RunningStatistics)), None)

    def begin(self, env_id: Any) -> None:
        """The sums of rewards of these environments (None: all) begin anew, as a reset was asked for."""
        self._sums[slice(None) if env_id is None else env_id] = 0

    def restored(self, env_id: Any) -> None:
        """The next observation of these environments (None: all) is like the first of an episode."""
        for stack in self._stacks():
            stack.begins[slice(None) if env_id is None else env_id] = True

    def state_dict(self) -> dict[str, Any]:
        """What `load_state_dict` takes, in another pool of the same kind: to be pickled, not copied."""
        return {
            "observations": {number: self.obs_statistics(number) for number in self._stages},
            "rewards": self.reward_statistics,
            "sums": self._sums,
            "frames": [stack.frames for stack in self._stacks()],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from the state of another pool."""
        for number in self._stages:
            ours = self.obs_statistics(number)
            if ours is not None:
                ours.assign(state["observations"][number])
        if self.reward_statistics is not None:
            self.reward_statistics.assign(state["rewards"])
        np.copyto(self._sums, state["sums"])
        for stack, frames in zip(self._stacks(), state["frames"], strict=True):
            stack.load(frames)

    def _stacks(self) -> Iterator[Frames]:
        for stages in self._stages.values():
            yield from (state for _, state in stages if isinstance(state, Frames))
