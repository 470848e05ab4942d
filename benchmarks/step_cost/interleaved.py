"""Two builds side by side on the clock: a process of each steps the same case in turn.

Both see the same machine, so the ratio of two neighbouring slices says more than steps per second.
Where a process has its memory matters too; so there are several processes of each.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median, quantiles
from types import TracebackType
from typing import Self

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


class Worker:
    """A process that steps a case when it is told to."""

    def __init__(self, case: Case, python: str) -> None:
        self._process = subprocess.Popen(
            [python, *WORKER, "time", case.name],
            cwd=BENCHMARKS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answers = self._answered()
        self._next()  # it is ready

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate()

    def steps_per_second(self, seconds: float) -> float:
        """Steps for so long, now."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        return float(self._next())

    def _answered(self) -> Iterator[str]:
        assert self._process.stdout is not None
        yield from self._process.stdout

    def _next(self) -> str:
        answer = next(self._answers, None)
        if answer is None:
            raise RuntimeError(f"{self._process.args!r} ended with {self._process.wait()}")
        return answer


def time_side_by_side(
    case: Case, before: str, new: str, *, processes: int, rounds: int, seconds: float
) -> Pairs:
    """`before`, `new`: the interpreters of the two builds. Whose turn is first alternates."""
    pairs = Pairs()
    for _ in range(processes):
        with Worker(case, before) as old_worker, Worker(case, new) as new_worker:
            for worker in (old_worker, new_worker):
                worker.steps_per_second(seconds / 4)  # the first steps are slow everywhere
            for turn in range(rounds):
                order = [(old_worker, pairs.before), (new_worker, pairs.new)]
                for worker, rates in order if turn % 2 == 0 else order[::-1]:
                    rates.append(worker.steps_per_second(seconds))
    return pairs
