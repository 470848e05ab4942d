"""The outcome of episodes with a policy: their numbers by seed, and a mean with an interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.errors import OptionError

from parallel_pool_learning.evaluating.episode import Episode
from parallel_pool_learning.evaluating.episodes import Lost
from parallel_pool_learning.evaluating.picture import bars, said

Numbers = npt.NDArray[np.float64]

_RESAMPLES = 2_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Evaluation:
    """Episodes of one policy, in the order of their seeds; arrays have one entry for each of the n episodes."""

    episodes: Sequence[Episode]
    lost: Sequence[Lost] = ()
    """Episodes that have no end, because their environment failed. They are in no array."""
    replay: Callable[..., Any] | None = field(default=None, repr=False)
    """Plays some of the seeds once more, for `film`."""

    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """The seeds."""
        return np.array([each.seed for each in self.episodes], np.uint64)

    @property
    def returns(self) -> Numbers:
        """The sums of rewards as the pool gives them (n,), or (n, players)."""
        return np.array([each.return_ for each in self.episodes], np.float64)

    @property
    def scores(self) -> Numbers | None:
        """The points of whole games; None where an environment has no other points than its rewards."""
        scores = [each.score for each in self.episodes]
        return None if None in scores else np.array(scores, np.float64)

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Steps."""
        return np.array([each.length for each in self.episodes], np.int64)

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """True for each episode that was terminated."""
        return np.array([each.terminated for each in self.episodes], np.bool_)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """True for each episode that was truncated."""
        return np.array([each.truncated for each in self.episodes], np.bool_)

    @property
    def infos(self) -> Mapping[str, npt.NDArray[Any]]:
        """The chosen infos of the last steps; object arrays with None where an episode has none."""
        names = self.episodes[0].infos if self.episodes else ()
        return {name: _column([each.infos[name] for each in self.episodes]) for name in names}

    @property
    def values(self) -> Numbers:
        """The numbers that count (n,): scores, or else returns; of several players all returns together."""
        return np.array([each.value for each in self.episodes], np.float64)

    @property
    def _known(self) -> Numbers:
        """Without scores of games whose end no step saw."""
        known = [
            each.value for each in self.episodes if each.score is None or not np.isnan(each.score)
        ]
        return np.array(known, np.float64)

    @property
    def mean(self) -> float:
        """The mean of `values`, of scores that are known. NaN without any, and with a return that is NaN."""
        with np.errstate(invalid="ignore"):
            return float(self._known.mean()) if len(self._known) else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the mean of such episodes with a probability of 95 %, by a bootstrap.

        NaN without a finite mean.
        """
        values = self._known
        if not np.isfinite(self.mean):
            return float("nan"), float("nan")
        rng = np.random.default_rng(0)
        means = [rng.choice(values, len(values)).mean() for _ in range(_RESAMPLES)]
        low, high = np.quantile(means, (0.025, 0.975))
        return float(low), float(high)

    @property
    def distinct(self) -> int:
        """The number of episodes that differ in a reward, or in their first or last observation."""
        return len({(each.task, each.length, each.fingerprint) for each in self.episodes})

    @property
    def tasks(self) -> dict[str, Evaluation]:
        """The episodes of each id in a pool of several."""
        ids = dict.fromkeys(each.task for each in self.episodes)
        return {
            task: Evaluation(
                episodes=[each for each in self.episodes if each.task == task],
                lost=[each for each in self.lost if each.task == task],
            )
            for task in ids
        }

    def film(self, worst: int = 3, path: str | Path | None = None, *, width: int = 960) -> Any:
        """Plays the episodes with the lowest values once more, side by side, and films them.

        Returns what `parallel_pool_watch.film` does, which a notebook shows. path: .mp4, .gif, or .png. Raises
        OptionError where the environments of the pool differ; LibraryError without parallel-pool-watch.
        """
        if self.replay is None:
            raise OptionError("a film is of one environment: those of this evaluation differ")
        if not isinstance(worst, (int, np.integer)) or not 1 <= worst <= len(self.episodes):
            raise OptionError(
                f"worst is {worst!r}, expected a number of the {len(self.episodes)} episodes"
            )
        lowest = np.argsort(self.values, kind="stable")[:worst]
        return self.replay([self.episodes[each] for each in lowest], path, width)

    def as_dict(self) -> dict[str, Any]:
        """Everything in lists and numbers, for JSON. NaN and infinite numbers, which JSON does not have,
        are None."""
        low, high = self.interval
        scores = self.scores
        several = len(self.tasks) > 1
        whole = {
            "episodes": len(self.episodes),
            "mean": self.mean,
            "interval": [low, high],
            "distinct": self.distinct,
            "seeds": self.seeds.tolist(),
            "returns": self.returns.tolist(),
            "scores": None if scores is None else scores.tolist(),
            "lengths": self.lengths.tolist(),
            "terminated": self.terminated.tolist(),
            "truncated": self.truncated.tolist(),
            "infos": {name: column.tolist() for name, column in self.infos.items()},
            "lost": [each._asdict() for each in self.lost],
            "tasks": [each.task for each in self.episodes] if several else None,
        }
        found: dict[str, Any] = _without_nan(whole)
        return found

    def __str__(self) -> str:
        """A table, and how the values are distributed."""
        lines = []
        for task, part in self.tasks.items():
            low, high = part.interval
            what = "return" if part.scores is None else "score"
            values, lengths = part._known, part.lengths
            known = values if len(values) else np.array([np.nan])
            least, most, median = (
                said(known.min()),
                said(known.max()),
                said(float(np.median(known))),
            )
            lines += [
                f"{task}: {len(part.episodes)} episodes, {part.distinct} distinct",
                f"  mean {what}  {said(part.mean)}  ({said(low)} to {said(high)} in 95 %)",
                f"  {what}       {least} to {most}, median {median}",
                f"  length       {lengths.min():,} to {lengths.max():,}, mean {lengths.mean():.1f}",
            ]
            if part.scores is not None:
                lines.append(f"  mean return  {part.returns.mean():.4g} (rewards as trained)")
            lines += [f"  {line}" for line in bars(values)]
        lines += [f"lost: seed {each.seed} of {each.task}: {each.why}" for each in self.lost]
        return "\n".join(lines)


def _column(values: list[Any]) -> npt.NDArray[Any]:
    if any(each is None for each in values) or len({np.shape(each) for each in values}) > 1:
        column = np.empty(len(values), object)
        column[:] = values
        return column
    return np.array(values)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_without_nan(each) for each in value]
    if isinstance(value, np.ndarray):
        return _without_nan(value.tolist())
    return None if isinstance(value, float) and not np.isfinite(value) else value
