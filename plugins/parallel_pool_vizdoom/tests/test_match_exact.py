"""Matches against as many of vizdoom's own DoomGames in lockstep, frame by frame and player by player."""

from typing import Any

import pytest
from match_originals import check


def test_a_duel() -> None:
    check("multi_duel", 2, 400, settings={"frag_reward": 1, "death_penalty": 0.5, "kill_reward": 3})


def test_one_match_after_the_other() -> None:
    check("multi_duel", 2, 500, matches=3, settings={"episode_timeout": 150})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cfg", "players", "options"),
    [
        ("cig", 4, {}),
        ("cig", 2, {"bots": 2}),
        ("cig", 1, {"bots": 2}),
        ("multi", 2, {}),
        ("freedoom2", 2, {"mode": "cooperative"}),
    ],
    ids=["four players", "two players and bots", "one player and bots", "rooms", "cooperative"],
)
def test_other_scenarios(cfg: str, players: int, options: dict[str, Any]) -> None:
    check(cfg, players, 400, **options)
