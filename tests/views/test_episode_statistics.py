"""`info["episode"]` is what Gymnasium's wrapper RecordEpisodeStatistics computes."""

from typing import Any

import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from test_envs.pools import make
from views.twins import MODES


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "statistics", "threads", "limit"),
    [
        ("Walk", True, 1, None),
        ("Walk", True, 2, 7),
        ("Lives", "life", 1, None),  # of each life, as the wrapper, and not of the game
    ],
)
def test_statistics_equal_the_wrappers(
    name: str, mode: str, statistics: Any, threads: int, limit: int | None
) -> None:
    arguments: dict[str, Any] = {
        "num_envs": 4,
        "autoreset_mode": mode,
        "num_threads": threads,
        "max_episode_steps": limit,
    }
    mine = make(name, episode_statistics=statistics, **arguments)
    wrapped = RecordEpisodeStatistics(make(name, **arguments))
    mine.reset(seed=3)
    wrapped.reset(seed=3)
    actions = np.random.default_rng(0)
    ends = 0
    for _ in range(150):
        action = actions.integers(0, 3, 4)
        *_, info = mine.step(action)
        _, _, terminated, truncated, expected = wrapped.step(action)
        assert ("episode" in info) == ("episode" in expected)
        assert "score" not in info
        over = terminated | truncated
        if over.any():
            ends += over.sum()
            assert info["_episode"].tolist() == expected["_episode"].tolist() == over.tolist()
            assert info["episode"]["r"].tolist() == expected["episode"]["r"].tolist()
            assert info["episode"]["l"].tolist() == expected["episode"]["l"].tolist()
            seconds = info["episode"]["t"]
            assert (seconds[~over] == 0).all()
            assert ((seconds[over] > 0) & (seconds[over] < 60)).all()
            if mode == "Disabled":
                mine.reset(options={"reset_mask": over})
                wrapped.reset(options={"reset_mask": over})
    assert ends > 40


def test_statistics_after_a_partial_reset_are_of_the_others() -> None:
    """Gymnasium's own environments take reset_mask out of the options, and this wrapper forgets all."""
    env = RecordEpisodeStatistics(make(num_envs=2, max_count=3, autoreset_mode="Disabled"))
    env.reset()
    env.step([2, 2])
    env.reset(options={"reset_mask": np.array([True, False])})
    env.step([2, 2])
    *_, info = env.step([2, 2])
    assert info["_episode"].tolist() == [False, True]
    assert info["episode"]["r"].tolist() == [0, 6]
    env.close()
