"""Whether threads of pools wait for CPUs that others use: asked when a pool is closed, so steps pay nothing."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from parallel_pool import _core
from parallel_pool.caller import warn_caller
from parallel_pool.errors import OversubscriptionWarning

ENOUGH = 5.0
"""Seconds of running and waiting, of all threads together, below which nothing is said."""
WORTH_MENTIONING = 0.3
"""The share of them that was waiting. Where threads have CPUs of their own it is below a tenth."""

_warned = False


class Clocks(NamedTuple):
    """Seconds of the world, and of all CPUs that this process used."""

    wall: float
    """By time.monotonic."""
    cpu: float
    """By time.process_time."""


def run_and_waited(thread_ids: Iterable[int]) -> list[tuple[float, float]]:
    """Seconds that each thread ran, and was ready to run while no CPU was free. Empty where no system tells."""
    times = []
    for each in thread_ids:
        try:
            text = Path(f"/proc/self/task/{each}/schedstat").read_text()
            ran, waited, _ = text.split()
        except (OSError, ValueError):
            return []
        times.append((int(ran) / 1e9, int(waited) / 1e9))
    return times


def finding(owner: str, times: Sequence[tuple[float, float]], since: Clocks) -> str | None:
    """What to say of threads with these times, of a pool that was made at `since`; None: nothing."""
    ran, waited = (sum(each) for each in zip(*times, strict=True)) if times else (0.0, 0.0)
    if ran + waited < ENOUGH or waited < WORTH_MENTIONING * (ran + waited):
        return None
    cpus = _core.usable_cpus()
    own = (time.process_time() - since.cpu) / max(time.monotonic() - since.wall, 1e-9)
    said = (
        f"{owner}: the threads of this pool have waited {waited:.0f} of the {ran + waited:.0f} seconds in "
        f"which they had work, because other threads had the CPUs, of which this process may use {cpus}. "
    )
    if own < 0.8 * cpus:
        return said + (
            f"Those are of other programs: this process had {own:.1f} CPUs. Give it CPUs of its own, or fewer "
            "threads to the pool: num_threads"
        )
    return said + (
        "Those are of this process, such as torch's: torch.set_num_threads(1), or OMP_NUM_THREADS=1 in the "
        "environment, or fewer threads here: num_threads"
    )


def warn_once(text: str | None) -> None:
    """Once in the life of the process."""
    global _warned
    if text is None or _warned:
        return
    _warned = True
    warn_caller(text, OversubscriptionWarning)
