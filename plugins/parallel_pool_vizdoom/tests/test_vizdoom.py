"""Every scenario against vizdoom's own DoomGame, frame by frame; matches against as many in lockstep."""

from typing import Any

import match_originals
import parallel_pool
import pytest
from doom_originals import check
from parallel_pool_vizdoom._scenarios import FROM_ASSETS, SCENARIOS

NAMES = [each.cfg for each in SCENARIOS]
THERE = set(parallel_pool.list_all_envs("vizdoom"))
NAMES += [each.cfg for each in FROM_ASSETS if f"vizdoom/{each.envpool}-v1" in THERE]
CHEAP = ("basic", "deadly_corridor", "defend_the_center", "health_gathering", "take_cover")
"""Always tested, each tic of 500; all with skipped tics, when there is time."""


@pytest.mark.parametrize("name", CHEAP)
def test_scenario(name: str) -> None:
    check(name, 500)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_with_skipped_tics(name: str) -> None:
    check(name, 1500, frame_skip=4, gray=True)


def test_buffers_and_buttons_that_take_numbers() -> None:
    buffers = ("depth", "labels", "automap")
    check("deathmatch", 150, frame_skip=7, buffers=buffers, config={"episode_timeout": 700})


def test_more_tics_than_an_engine_is_asked_for_at_once() -> None:
    check("defend_the_center", 40, frame_skip=110)


def test_settings() -> None:
    """What a cfg may say, here in a dict for both."""
    settings = {
        "living_reward": -0.25,
        "health_reward": 0.5,
        "damage_taken_penalty": 0.125,
        "render_hud": True,
        "render_messages": True,
        "automap_mode": "WHOLE",
        "automap_rotate": True,
        "episode_timeout": 100,
        "doom_skill": 2,
    }
    check("deadly_corridor", 150, frame_skip=3, config=settings, buffers=("automap",), gray=True)


def test_one_duel_after_the_other() -> None:
    rewards = {"frag_reward": 1, "death_penalty": 0.5, "kill_reward": 3}
    settings = {"episode_timeout": 100, **rewards}
    match_originals.check("multi_duel", 2, 240, matches=2, settings=settings)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cfg", "players", "options"),
    [
        ("cig", 4, {}),
        ("cig", 2, {"bots": 2}),
        ("cig", 1, {"bots": 2}),
        ("multi", 2, {}),
        ("multi_duel", 2, {}),
        ("freedoom2", 2, {"mode": "cooperative"}),
    ],
    ids=[
        "four players",
        "two players and bots",
        "one player and bots",
        "rooms",
        "one long duel",
        "cooperative",
    ],
)
def test_other_scenarios(cfg: str, players: int, options: dict[str, Any]) -> None:
    match_originals.check(cfg, players, 400, **options)
