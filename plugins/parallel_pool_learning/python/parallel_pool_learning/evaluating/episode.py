"""An episode that was played from its seed to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, kw_only=True, eq=False)
class Episode:
    """One episode, or one whole game where options cut games into episodes.

    What was not asked for with `record` is None. T is the `length`.
    """

    seed: int
    task: str
    """The id of the environment."""
    options: Mapping[str, Any]
    """The options that its environment has from `env_options`."""
    return_: float | npt.NDArray[np.float64]
    """The sum of rewards, as the pool gives them; an array with one for each player that has its own."""
    length: int
    """Steps."""
    terminated: bool
    truncated: bool
    score: float | None = None
    """The points of the game, whatever options and transforms do to rewards; None: there are no others. NaN:
    the game ended where no step saw it, in the no-ops after a lost life."""
    infos: Mapping[str, Any] = field(default_factory=dict)
    """The chosen infos of the last step; None where the environment gave none."""
    obs: Any = None
    """Observations, nested as those of the pool: arrays (T + 1, ...). A whole game has one more for each reset
    within it."""
    actions: Any = None
    """Arrays (T, ...)."""
    rewards: npt.NDArray[np.float64] | None = None
    """(T,), or (T, players)."""
    states: list[bytes] | None = None
    """The states in which the observations were seen, for `set_state`."""
    frames: list[Any] | None = None
    """Pictures of the same moments, uint8 (height, width, 3)."""
    fingerprint: int = field(default=0, repr=False)
    """A number of the rewards and of the first and the last observation: equal for equal episodes."""

    @property
    def value(self) -> float:
        """The number that counts: the score, or else the return; of several players all returns together."""
        return float(np.sum(self.return_)) if self.score is None else self.score
