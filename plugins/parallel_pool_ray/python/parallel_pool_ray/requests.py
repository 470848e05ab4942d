"""Calls of a RayPool, divided into parts by lane, until their results are returned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.pool_api import map_tree

from parallel_pool_ray.pool_actor import ActorResult

Ids = npt.NDArray[np.int64]


@dataclass(eq=False)
class Part:
    """The environments of one lane in one request: one call of their actor."""

    pool: int
    lane: int
    ids: Ids
    """Numbers among all environments."""
    places: npt.NDArray[np.int64]
    """Their rows in the request."""
    arguments: tuple[Any, ...] = ()
    """Arguments of the call: (action,), or (seed, options) for a reset."""
    resets: bool = False
    """True if the call is a reset: requested by the caller, or in place of a step."""
    generation: int = 0
    """The generation of the actor that answers."""
    lost: bool = False
    """True if these environments were lost since their last result."""
    ends: bool = False
    """True if the rows end an episode because the environments were lost."""
    final_obs: Any = None
    """The previous episode's last observation, if the rows also start the next one (autoreset SameStep)."""
    value: ActorResult | None = None
    error: Exception | None = None

    @property
    def done(self) -> bool:
        """True if the result is there."""
        return self.value is not None or self.error is not None


@dataclass(eq=False)
class Request:
    """One call of `send` or `async_reset`; in an asynchronous pool, one lane of it."""

    ids: Ids
    is_reset: bool
    parts: list[Part]
    finished: int = -1
    """The number of requests that finished before this one; -1: it has not finished."""

    @property
    def done(self) -> bool:
        """True if the results of all parts are there."""
        return all(part.done for part in self.parts)

    @property
    def failures(self) -> dict[int, str]:
        """The errors of environments that failed."""
        return {
            int(part.ids[row]): said
            for part in self.parts
            if part.value is not None and part.value.failures
            for row, said in part.value.failures.items()
        }


class LastObservations:
    """The last observation of each environment, not copied if calls are for whole lanes."""

    def __init__(self, lanes: int, rows: int) -> None:
        self._rows = rows
        self._obs: list[Any] = [None] * lanes
        self._own = [False] * lanes

    def note(self, part: Part, obs: Any) -> None:
        """Stores the observations of the environments of this part."""
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
        """A copy of the last observations of the environments of this part."""
        rows = part.ids - part.lane * self._rows
        return map_tree(lambda array: array[rows], self._obs[part.lane])
