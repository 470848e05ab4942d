"""Two players at our machine and at ALE's: both joysticks, four paddles, every switch.

ALE's games are for one player, so these run on the bare machines: SELECT comes to the variations for
two, which most cartridges have. Four of the ROMs have no other.
"""

import pytest
from atari_engine import MULTIPLAYER_ONLY, compare_two_players, games

# Where both play at once, or with paddles, or on PAL; the slow test has all.
SEVERAL = [
    *sorted(MULTIPLAYER_ONLY), "air_raid", "backgammon", "blackjack", "bowling", "boxing", "breakout",
    "casino", "fishing_derby", "freeway", "ice_hockey", "kaboom", "mario_bros", "pong", "space_invaders",
    "space_war", "surround", "tennis", "video_chess", "wizard_of_wor",
]  # fmt: skip


@pytest.mark.parametrize("game", SEVERAL)
def test_two_players_see_what_they_see_on_ale(game: str) -> None:
    for selections in (1, 2):
        found = compare_two_players(game, frames=400, seed=selections, selections=selections)
        assert found == "", f"{selections} selections"


@pytest.mark.slow  # minutes: eight variations of each game
@pytest.mark.parametrize("game", sorted([*games(), *MULTIPLAYER_ONLY]))
def test_two_players_in_many_variations(game: str) -> None:
    for selections in range(8):
        found = compare_two_players(game, frames=1500, seed=selections, selections=selections)
        assert found == "", f"{selections} selections"
