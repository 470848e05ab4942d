"""Two builds side by side on the clock: a process of each steps the same case in turn.

Both see the same machine, so the ratio of two neighbouring slices says more than steps per second.
Where a process has its memory matters too; so there are several processes of each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median, quantiles

from in_turn import take_turns

from step_cost.callgrind import BENCHMARKS, WORKER
from step_cost.cases import Case


@dataclass
class Pairs:
    """Steps of the pool per second, of the build before and of the new one, slice by slice."""

    before: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)

    def ratios(self) -> list[float]:
        """How many times as fast the new build is, in each pair."""
        return [new / before for before, new in zip(self.before, self.new, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return median(self.ratios())

    @property
    def middle(self) -> tuple[float, float]:
        """Between which the middle half of the ratios lies: how much the machine disturbs."""
        low, _, high = quantiles(self.ratios(), n=4)
        return low, high


def time_side_by_side(
    case: Case, before: str, new: str, *, processes: int, rounds: int, seconds: float
) -> Pairs:
    """`before`, `new`: the interpreters of the two builds."""
    builds = {"before": before, "new": new}
    commands = {name: [python, *WORKER, "time", case.name] for name, python in builds.items()}
    pairs = Pairs()
    for _ in range(processes):
        slices = take_turns(commands, rounds=rounds, seconds=seconds, folder=BENCHMARKS)
        pairs.before += [each["steps/s"] for each in slices["before"]]
        pairs.new += [each["steps/s"] for each in slices["new"]]
    return pairs
