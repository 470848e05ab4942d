"""The result of a RolloutBuffer: T steps of N environments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import map_tree

from parallel_pool_learning.arrays import as_numpy, index_for, taken

_COLUMNS = ("obs", "actions", "values", "advantages", "returns")
"""The arrays of a minibatch, besides the extras."""


@dataclass(frozen=True)
class Rollout:
    """T steps of N environments. Arrays have the shape (T, N, ...) and the type of the buffer's `output`.

    With output "numpy", and "torch" on the CPU, they are the buffer's own memory, which the next rollout
    overwrites.
    """

    obs: Any
    """The observation before each step, with the layout of the observation space."""
    actions: Any
    rewards: Any
    """float32."""
    terminated: Any
    truncated: Any
    valid: Any
    """False for steps that only reset their environment (autoreset NextStep); a learner must skip them."""
    values: Any
    """The value of `obs` that the caller passed to `step`, float32."""
    next_values: Any
    """The critic's value of the observation after each step, float32: after a truncation that of the
    episode's last observation, and in the last row the bootstrap values. Undefined where an episode has
    terminated."""
    advantages: Any
    """float32; 0 where not `valid`."""
    returns: Any
    """advantages + values: the target of the critic."""
    extras: dict[str, Any]
    """Further arrays that the caller passed to `step`, such as the logarithm of the action's probability."""
    episodes: dict[str, npt.NDArray[Any]]
    """`env_id`, `return` and `length` of the episodes that ended, with one entry per episode."""

    def minibatches(self, size: int, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
        """Yields every valid step once, in random order, as dicts of `size` rows; the last dict may have fewer.

        Keys: obs, actions, values, advantages, returns, and those of `extras`. Rows are copies. Raises
        ValueError if size is not positive.
        """
        if size < 1:
            raise ValueError(f"size is {size!r}, expected at least 1")
        steps, envs = self.valid.shape[:2]
        rows = np.flatnonzero(as_numpy(self.valid))
        rng.shuffle(rows)
        refuse_columns(self.extras)
        columns = {name: getattr(self, name) for name in _COLUMNS} | self.extras
        flat = map_tree(lambda array: array.reshape((steps * envs, *array.shape[2:])), columns)
        numbers = index_for(self.valid, rows)
        for begin in range(0, len(rows), size):
            some = numbers[begin : begin + size]
            yield map_tree(lambda array, some=some: taken(array, some), flat)


def refuse_columns(extras: Iterable[str]) -> None:
    """Raises OptionError for extras that have the name of a column of minibatches."""
    for name in extras:
        if name in _COLUMNS:
            raise OptionError(
                f"the extra array {name!r} would replace the rollout's own {name} in minibatches: give it "
                f"another name, such as own_{name}"
            )
