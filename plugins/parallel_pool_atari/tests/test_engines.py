"""Our own 2600 (src/vcs) is ALE, frame by frame: RAM, screens, rewards, lives, ends."""

import parallel_pool
import pytest
from atari_engine import Emulator, compare_engines, games
from parallel_pool_atari._games import FAST, ROMS

every_game = pytest.mark.parametrize("game", sorted(FAST))
SEVERAL_MODES = [
    "air_raid", "breakout", "elevator_action", "klax", "montezuma_revenge", "robotank",
    "space_invaders", "tic_tac_toe_3d", "video_pinball",
]  # fmt: skip


def test_every_game_of_ale_py_is_offered() -> None:
    assert sorted(ROMS) == games()


@every_game
def test_the_engines_agree(game: str) -> None:
    assert compare_engines(game, frames=250, seed=1) == ""


@pytest.mark.slow  # minutes: both engines play 20,000 frames of each game, twice
@every_game
@pytest.mark.parametrize("sticky", [0.0, 0.25])
def test_the_engines_agree_for_long(game: str, sticky: float) -> None:
    assert compare_engines(game, frames=20_000, seed=2, sticky=sticky) == ""


@pytest.mark.parametrize("game", SEVERAL_MODES)
def test_the_engines_agree_in_other_modes_and_when_truncated(game: str) -> None:
    emulator = Emulator(game)
    last = {"mode": emulator.offers("modes")[-1], "difficulty": emulator.offers("difficulties")[-1]}
    assert compare_engines(game, frames=250, seed=3, sticky=0.25, max_frames=90, **last) == ""


@pytest.mark.slow  # minutes: some games have a hundred combinations
@every_game
def test_the_engines_agree_in_every_mode_and_difficulty(game: str) -> None:
    emulator = Emulator(game)
    for mode in emulator.offers("modes"):
        for difficulty in emulator.offers("difficulties"):
            found = compare_engines(
                game, frames=300, seed=mode + 1, mode=mode, difficulty=difficulty
            )
            assert found == "", f"mode {mode}, difficulty {difficulty}"


def test_auto_is_fast_where_that_was_shown() -> None:
    fast = {game for game in games() if Emulator(game).engine == "fast"}
    assert fast == set(FAST)


def test_a_pool_says_who_emulates() -> None:
    for wanted in ("fast", "ale"):
        with parallel_pool.make("Pong-v5", engine=wanted) as pool:
            assert pool.config["engine"] == wanted
    with parallel_pool.make("Pong-v5") as pool:
        assert pool.config["engine"] == "fast"
