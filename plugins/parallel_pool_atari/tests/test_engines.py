"""Our own 2600 (src/vcs) is ALE, frame by frame: RAM, screens, rewards, lives, ends."""

import parallel_pool
import pytest
from atari_engine import Emulator, compare_engines, games
from parallel_pool.errors import OptionError
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
    assert compare_engines(game, frames=1_000, seed=1) == ""


@pytest.mark.slow  # minutes: both engines play 20,000 frames of each game, twice
@every_game
@pytest.mark.parametrize("sticky", [0.0, 0.25])
def test_the_engines_agree_for_long(game: str, sticky: float) -> None:
    assert compare_engines(game, frames=20_000, seed=2, sticky=sticky) == ""


@pytest.mark.parametrize("game", SEVERAL_MODES)
def test_the_engines_agree_in_other_modes_and_when_truncated(game: str) -> None:
    emulator = Emulator(game)
    mode, difficulty = emulator.modes()[-1], emulator.difficulties()[-1]
    assert (
        compare_engines(
            game, frames=400, seed=3, sticky=0.25, max_frames=150, mode=mode, difficulty=difficulty
        )
        == ""
    )


@pytest.mark.slow  # minutes: some games have a hundred combinations
@every_game
def test_the_engines_agree_in_every_mode_and_difficulty(game: str) -> None:
    emulator = Emulator(game)
    for mode in emulator.modes():
        for difficulty in emulator.difficulties():
            found = compare_engines(
                game, frames=300, seed=mode + 1, mode=mode, difficulty=difficulty
            )
            assert found == "", f"mode {mode}, difficulty {difficulty}"


@pytest.mark.parametrize("game", games())
def test_auto_is_fast_where_that_was_shown(game: str) -> None:
    assert Emulator(game).engine == ("fast" if game in FAST else "ale")


def test_a_pool_says_who_emulates() -> None:
    for wanted in ("fast", "ale"):
        with parallel_pool.make("Pong-v5", engine=wanted) as pool:
            assert pool.config["engine"] == wanted
    with parallel_pool.make("Pong-v5") as pool:
        assert pool.config["engine"] == "fast"


def test_an_engine_that_does_not_exist_is_an_error_that_lists_the_others() -> None:
    with pytest.raises(OptionError, match=r"engine.*auto.*fast.*ale"):
        parallel_pool.make("Pong-v5", engine="slow")


def test_ale_is_there_for_those_who_ask_for_it() -> None:
    assert Emulator("pong", engine="ale").engine == "ale"


def test_a_state_belongs_to_its_engine() -> None:
    fast, ale = Emulator("pong", engine="fast"), Emulator("pong", engine="ale")
    fast.reset()
    ale.reset()
    with pytest.raises(ValueError, match="of the fast engine"):
        fast.restore(ale.save())
    with pytest.raises(ValueError, match="not a saved Atari state"):
        ale.restore(fast.save())
