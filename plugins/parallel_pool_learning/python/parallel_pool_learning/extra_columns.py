"""Further arrays of each step of a rollout: log probabilities, states of a network."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.errors import OptionError

from parallel_pool_learning.rollout import refuse_columns
from parallel_pool_learning.rollout_rows import per_env, put_rows


class ExtraColumns:
    """Arrays (T, N, ...) by name, the same names in every step of a rollout."""

    def __init__(self, num_steps: int, num_envs: int) -> None:
        self._num_steps, self._num_envs = num_steps, num_envs
        self.arrays: dict[str, npt.NDArray[Any]] = {}

    def put(self, at: int, extras: dict[str, Any]) -> None:
        """Copies the rows of step `at`. The first step says which names there are."""
        refuse_columns(extras)
        given = {name: per_env(name, each, self._num_envs) for name, each in extras.items()}
        if at == 0:
            self.arrays = {name: self._room_for(name, each) for name, each in given.items()}
        if given.keys() != self.arrays.keys():
            raise OptionError(
                f"this step has {sorted(given)} beside action and value, the first one of the rollout "
                f"{sorted(self.arrays)}: give the same in all"
            )
        for name, each in given.items():
            put_rows(name, self.arrays[name][at], each)

    def _room_for(self, name: str, given: npt.NDArray[Any]) -> npt.NDArray[Any]:
        room = self.arrays.get(name)
        if room is None or room.shape[1:] != given.shape or room.dtype != given.dtype:
            room = np.empty((self._num_steps, *given.shape), given.dtype)
        return room
