"""States of every kind of environment go on exactly.

Between pools and views, and what the pool knows of an episode: tests/model. Between processes: tests/isolation.
"""

from typing import Any

import numpy as np
import pytest
from test_envs.pools import make
from test_envs.states import ACTIONS, equal, play, same_future


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("name", [*ACTIONS, "Types"])
def test_a_restored_pool_goes_on_as_its_twin(name: str, mode: str) -> None:
    """Through hundreds of steps, time limits, ends of episodes and a later reset."""
    common: dict[str, Any] = {
        "num_envs": 20,
        "max_episode_steps": 30,
        "autoreset_mode": mode,
        "episode_statistics": True,
    }
    # Another size of shards, threads and seeds: nothing of it is part of a state.
    with make(name, seed=1, **common) as twin, make(name, seed=99, num_threads=2, **common) as pool:
        twin.reset()
        pool.reset()
        for moment in range(8):
            play(twin, name, 5 + moment, moment)
            play(pool, name, 3, moment)
            pool.set_state(None, twin.get_state())
            same_future(name, pool, twin, 60)
        equal(pool.reset([3, 1]), twin.reset([3, 1]))
        same_future(name, pool, twin, 50)


def test_seconds_are_nan_where_nobody_counted() -> None:
    """As returns are: tests/model."""
    arguments: dict[str, Any] = {"num_envs": 1, "max_count": 2}
    with make(**arguments, episode_statistics=True) as counted, make(**arguments) as plain:
        counted.reset()
        plain.reset()
        counted.set_state(None, plain.get_state())
        counted.step([2])
        assert np.isnan(counted.step([2])[4]["episode"]["t"][0])
