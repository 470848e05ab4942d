"""Earlier moments of a watched pool, at regular steps, within a memory limit."""

from __future__ import annotations

from bisect import bisect_right

from parallel_pool_watch.watch import WatchState


class History:
    """Stores a moment every `every` steps. At the memory limit every second one is dropped."""

    def __init__(self, limit_bytes: int = 256 << 20, every: int = 1) -> None:
        self._limit = limit_bytes
        self._moments: list[WatchState] = []
        self._bytes = 0
        self.every = every

    def due(self, step: int) -> bool:
        """Returns True if the moment after this step should be added."""
        return step % self.every == 0

    def add(self, moment: WatchState) -> None:
        """Adds a moment, which must be later than all stored ones."""
        self._moments.append(moment)
        self._bytes += moment.nbytes
        while self._bytes > self._limit and len(self._moments) > 2:
            self.every *= 2
            self._moments = [each for each in self._moments if self.due(each.step)]
            self._bytes = sum(each.nbytes for each in self._moments)

    def forget_after(self, step: int) -> None:
        """Drops the moments after this step, because the pool may continue differently from there."""
        while self._moments and self._moments[-1].step > step:
            self._bytes -= self._moments.pop().nbytes

    def at(self, step: int) -> WatchState | None:
        """The last moment at or before `step`; the first moment if all are later; None if there is none."""
        if not self._moments:
            return None
        place = bisect_right(self._moments, step, key=lambda moment: moment.step)
        return self._moments[max(0, place - 1)]

    @property
    def first(self) -> int | None:
        """The step of the first moment."""
        return self._moments[0].step if self._moments else None
