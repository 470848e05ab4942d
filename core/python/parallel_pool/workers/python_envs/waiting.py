"""Finds out whether environments wait in their steps, and so make others of their worker wait."""

from __future__ import annotations

import time
from collections.abc import Callable

ENOUGH = 64
"""The number of steps that are measured."""
WORTH_MENTIONING = 2e-4
"""Seconds of waiting in a step: a handover between threads takes about a tenth of that."""


class WaitingWatch:
    """Measures the first calls of one worker, by the clocks of the system.

    A thread that waits gives up its CPU voluntarily; a thread that other programs keep from running does not.
    So a busy machine does not look like waiting.
    """

    def __init__(self, cpu_clock: Callable[[], float]) -> None:
        """cpu_clock: CPU seconds of all threads that compute for these environments, and for no others."""
        self._cpu_clock = cpu_clock
        self._steps = 0
        self._before = self._total = (0.0, 0.0, 0.0)

    def begin(self) -> None:
        """Notes that a call begins."""
        self._before = self._now()

    def end(self, steps: int) -> bool:
        """Notes the end of a call of so many steps. Returns whether enough was measured."""
        self._total = tuple(  # type: ignore[assignment]
            total + after - before
            for total, after, before in zip(self._total, self._now(), self._before, strict=True)
        )
        self._steps += steps
        return self._steps >= ENOUGH

    def finding(self, held: int) -> str | None:
        """The warning for a worker with so many environments; None: they do not wait."""
        elapsed, computed, given_away = (each / self._steps for each in self._total)
        waited = elapsed - computed
        if held < 2 or given_away < 0.9 or waited < max(WORTH_MENTIONING, elapsed / 2):
            return None
        return (
            f"its environments wait, {1e3 * waited:.2g} of the {1e3 * elapsed:.2g} milliseconds of a step, and "
            f"{held} of them one after another in one worker. num_threads=num_envs gives each a worker of its "
            "own"
        )

    def _now(self) -> tuple[float, float, float]:
        import resource  # which Windows has not

        given_away = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
        return time.perf_counter(), self._cpu_clock(), float(given_away)
