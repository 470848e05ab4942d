"""Earlier moments are thinned out where memory is short. Found and forgotten: test_player.py."""

import numpy as np
from parallel_pool_watch.live.history import History
from parallel_pool_watch.watch import WatchState

NOTHING = np.zeros(0)


def test_every_second_one_goes_where_memory_runs_out() -> None:
    history = History(limit_bytes=2000)
    for step in range(1000):
        if history.due(step):  # each counts as 100 bytes
            moment = step, [b"x" * 100], NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, []
            history.add(WatchState(*moment))
    found = [history.at(step) for step in range(1000)]
    assert history.every == 64
    assert [each and each.step for each in found] == [step // 64 * 64 for step in range(1000)]
