"""Several cases in one run, a short slice each in turn, so that all see the same machine."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from measuring.drivers import Driver, Observer, Slice


@dataclass
class Timing:
    """The slices of one case, in the order of the rounds."""

    name: str
    slices: list[Slice] = field(default_factory=list)

    @property
    def total(self) -> Slice:
        """All slices together."""
        return sum(self.slices, Slice())

    @property
    def median(self) -> float:
        """Environment steps per second in the median slice."""
        return median(each.rate for each in self.slices)

    def ratio_to(self, other: Timing) -> float:
        """How many times faster than `other`: the median of the ratios in each round."""
        return median(
            mine.rate / theirs.rate for mine, theirs in zip(self.slices, other.slices, strict=False)
        )


def interleave(
    drivers: Sequence[Driver],
    *,
    rounds: int,
    slice_seconds: float,
    observe: Observer | None = None,
    before_slice: Callable[[Driver], None] = lambda _: None,
    after_slice: Callable[[Sequence[Timing]], None] = lambda _: None,
    timings: list[Timing] | None = None,
) -> list[Timing]:
    """Each driver once a round, in an order that rotates from round to round.

    observe: told of the results of the first driver only. before_slice: told of the driver whose turn
    it is. timings: filled and returned, so that
    what was measured outlives an interruption.
    """
    timings = [Timing(driver.name) for driver in drivers] if timings is None else timings
    for driver in drivers:  # the first calls are slow everywhere
        _slice(driver, min(0.1, slice_seconds), observe if driver is drivers[0] else None)
    for turn in range(rounds):
        for position in range(len(drivers)):
            index = (turn + position) % len(drivers)
            before_slice(drivers[index])
            timings[index].slices.append(
                _slice(drivers[index], slice_seconds, observe if index == 0 else None)
            )
            after_slice(timings)
    return timings


def _slice(driver: Driver, seconds: float, observe: Observer | None) -> Slice:
    gc.collect()
    driver.resume(observe)
    try:
        return driver.run(seconds, observe)
    finally:
        driver.settle()
