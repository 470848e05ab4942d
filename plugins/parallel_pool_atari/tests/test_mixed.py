"""Several games in one pool. That each plays as in a pool of its own: tests/registry/test_every_env.py."""

import parallel_pool
import pytest
from parallel_pool import OptionError
from test_envs.checks import refused


def test_games_with_actions_of_their_own_are_refused_with_the_remedy() -> None:
    with refused(
        OptionError,
        "0 (atari/Pong-v5) and 1 (atari/Breakout-v5)",
        "Discrete(6) and Discrete(4)",
        "With full_action_space=True for all of them they agree",
    ):
        parallel_pool.make(["Pong-v5", "Breakout-v5"])


def test_screens_of_different_height_are_refused() -> None:
    with pytest.raises(OptionError, match=r"observation: .*210.*250.*pool for each"):
        parallel_pool.make(["ALE/Pong-v5", "ALE/AirRaid-v5"], full_action_space=True)
