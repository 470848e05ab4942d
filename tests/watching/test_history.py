"""Earlier moments: found, forgotten, and thinned out where memory is short."""

from itertools import pairwise

import numpy as np
from parallel_pool_watch.live.history import History
from parallel_pool_watch.watch import WatchState

NOTHING = np.zeros(0)


def moment(step: int) -> WatchState:
    """One that counts as 100 bytes."""
    return WatchState(step, [b"x" * 100], NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, [])


def filled(steps: int, limit_bytes: int) -> History:
    history = History(limit_bytes)
    for step in range(steps):
        if history.due(step):
            history.add(moment(step))
    return history


def steps_of(history: History, until: int) -> list[int]:
    found = (history.at(step) for step in range(until))
    return sorted({each.step for each in found if each is not None})


def test_finds_the_moment_before() -> None:
    history = History()
    assert history.at(5) is history.first is None
    for step in (10, 20, 30):
        history.add(moment(step))
    found = {step: history.at(step) for step in (0, 10, 19, 20, 999)}
    steps = {step: each.step for step, each in found.items() if each is not None}
    assert steps == {0: 10, 10: 10, 19: 10, 20: 20, 999: 30}
    assert history.first == 10


def test_every_second_one_goes_where_memory_runs_out() -> None:
    history = filled(1000, limit_bytes=2000)
    steps = steps_of(history, 1000)
    assert history.every == 64
    assert steps == list(range(0, 1000, 64))
    assert all(b - a == 64 for a, b in pairwise(steps))


def test_forgets_the_future() -> None:
    history = filled(10, limit_bytes=10_000)
    history.forget_after(6)
    assert steps_of(history, 10) == list(range(7))
    history.add(moment(7))
    history.forget_after(-1)
    assert history.first is None
