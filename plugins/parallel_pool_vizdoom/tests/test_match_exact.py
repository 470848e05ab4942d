"""Matches against as many of vizdoom's own DoomGames in lockstep, frame by frame and player by player."""

from __future__ import annotations

from typing import Any

import pytest
from doom_twin import memory_names
from match_twin import MatchTwin
from parallel_pool_vizdoom._package import package_folder


def check(cfg: str, players: int, tics: int, matches: int = 1, **options: Any) -> None:
    before = memory_names()
    path = package_folder() / "scenarios" / f"{cfg}.cfg"
    twin = MatchTwin(str(path), seed=5, players=players, **options)
    try:
        for number in range(matches):
            if number:
                twin.begin_again()
            assert twin.run(tics, draw_seed=number) == (matches > 1)
    finally:
        twin.close()
    assert memory_names() == before


def test_a_duel() -> None:
    check("multi_duel", 2, 400, settings={"frag_reward": 1, "death_penalty": 0.5, "kill_reward": 3})


def test_one_match_after_the_other() -> None:
    check("multi_duel", 2, 200, matches=3, settings={"episode_timeout": 150})


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
