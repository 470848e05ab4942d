"""What was asked of a RayPool, part by part, until it is handed out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.distributed.pool_actor import Rows
from parallel_pool.learning.arrays import map_tree

Ids = npt.NDArray[np.int64]


@dataclass(eq=False)
class Part:
    """The environments of one lane in one request, for one call of their actor."""

    pool: int
    lane: int
    ids: Ids
    """Among all."""
    places: npt.NDArray[np.int64]
    """Their rows in the request."""
    arguments: tuple[Any, ...] = ()
    """Of the call: (action,), or of a reset (seed, options)."""
    resets: bool = False
    """Whether the call is a reset: asked for, or one that takes the place of a step."""
    generation: int = 0
    """Of the actor that answers."""
    lost: bool = False
    """Whether these environments were lost since their last answer."""
    ends: bool = False
    """Whether the rows end an episode, because their environments were lost."""
    final_obs: Any = None
    """Where they also begin the next one (autoreset SameStep): the last observation of the one before."""
    value: Rows | None = None
    error: Exception | None = None

    @property
    def done(self) -> bool:
        """Whether it can be handed out."""
        return self.value is not None or self.error is not None


@dataclass(eq=False)
class Request:
    """One call of `send` or `async_reset`; of an asynchronous pool, a lane of it."""

    ids: Ids
    is_reset: bool
    parts: list[Part]
    finished: int = -1
    """How many were finished before."""

    @property
    def done(self) -> bool:
        """Whether it can be handed out."""
        return all(part.done for part in self.parts)


class LastSeen:
    """The last observation of each environment, without a copy where calls are of whole lanes."""

    def __init__(self, lanes: int, rows: int) -> None:
        self._rows = rows
        self._obs: list[Any] = [None] * lanes
        self._own = [False] * lanes

    def note(self, part: Part, obs: Any) -> None:
        """Takes down what the environments of this part have shown."""
        rows = part.ids - part.lane * self._rows
        if len(rows) == self._rows and (rows == np.arange(self._rows)).all():
            self._obs[part.lane], self._own[part.lane] = obs, False
            return
        if not self._own[part.lane]:
            before = self._obs[part.lane]
            self._obs[part.lane] = map_tree(
                lambda array: np.zeros((self._rows, *array.shape[1:]), array.dtype), obs
            )
            if before is not None:
                map_tree(np.copyto, self._obs[part.lane], before)
            self._own[part.lane] = True
        map_tree(lambda kept, given: kept.__setitem__(rows, given), self._obs[part.lane], obs)

    def of(self, part: Part) -> Any:
        """A copy for the environments of this part."""
        rows = part.ids - part.lane * self._rows
        return map_tree(lambda array: array[rows], self._obs[part.lane])
