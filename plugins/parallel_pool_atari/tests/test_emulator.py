"""The emulator behaves as ale_py.ALEInterface does, frame by frame."""

import ctypes
import random
from pathlib import Path

import numpy as np
import pytest
from atari_engine import ENGINES, Emulator, games, library, roms, same

ale_py = pytest.importorskip("ale_py")
ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)

SOME = [
    "pong", "breakout", "seaquest", "space_invaders", "ms_pacman", "pitfall", "video_pinball",
    "montezuma_revenge", "alien", "air_raid", "elevator_action", "pitfall2", "robotank",
    "berzerk", "double_dunk", "tic_tac_toe_3d",
]  # fmt: skip
every_game = pytest.mark.parametrize(
    "game", [pytest.param(g, marks=() if g in SOME else pytest.mark.slow) for g in games()]
)
# test_engines.py holds the two to each other on every run.
both_engines = pytest.mark.parametrize(
    "engine", ["auto", pytest.param("ale", marks=pytest.mark.slow)]
)


def reference(game: str, seed: int, sticky: float = 0.0, max_frames: int = 0):
    ale = ale_py.ALEInterface()
    ale.setFloat("repeat_action_probability", sticky)
    ale.setInt("random_seed", seed)
    ale.setInt("max_num_frames_per_episode", max_frames)
    ale.loadROM(str(roms() / f"{game}.bin"))
    return ale


def assert_same(ours: Emulator, ale, frame: int = 0) -> None:
    where = f"frame {frame}"
    same(ours.ram(), ale.getRAM(), where)
    same(ours.screen(), ale.getScreen(), where)
    assert ours.lives() == ale.lives(), where
    assert ours.game_over() == ale.game_over(with_truncation=False), where
    assert ours.truncated() == ale.game_truncated(), where


def play(ours: Emulator, ale, frames: int, seed: int) -> None:
    rng = random.Random(seed)
    actions = ours.minimal_actions()
    for frame in range(frames):
        if frame % 4 == 0:
            action = rng.choice(actions)
        before = ours.screen()
        assert ours.act(action) == ale.act(ale_py.Action(action)), f"reward of frame {frame}"
        same(ours.previous_screen(), before, f"frame {frame}")
        assert_same(ours, ale, frame)
        if ale.game_over():
            ours.reset()
            ale.reset_game()
            assert_same(ours, ale, frame)


@both_engines
@pytest.mark.parametrize(
    ("game", "frames"),
    [(g, 2000) for g in games() if g in SOME]
    + [pytest.param(g, 4000, marks=pytest.mark.slow) for g in games()],
)
def test_equals_ale(game: str, frames: int, engine: str) -> None:
    ours = Emulator(game, sticky=0.25, max_frames=1500, engine=engine)
    ours.reseed(11)
    ours.reset()
    ale = reference(game, 11, 0.25, 1500)
    ale.reset_game()
    assert ours.minimal_actions() == [a.value for a in ale.getMinimalActionSet()]
    assert_same(ours, ale)
    play(ours, ale, frames, 1)


def test_colours_equal_ale() -> None:
    """Air Raid is a PAL game and shows colours that are in no NTSC game, index 255 included."""
    for game in ("pong", "air_raid"):
        ours, ale = Emulator(game), reference(game, 1)
        ale.reset_game()
        rng = random.Random(1)
        gray, *rgb = ours.palette()
        for _ in range(300):
            ale.act(rng.choice(ale.getMinimalActionSet()))
            screen = ale.getScreen()
            np.testing.assert_array_equal(gray[screen], ale.getScreenGrayscale())
            np.testing.assert_array_equal(
                np.stack([plane[screen] for plane in rgb], -1), ale.getScreenRGB()
            )


@every_game
def test_reseed_equals_a_fresh_rom(game: str) -> None:
    ours = Emulator(game, sticky=0.25)
    ours.reset()
    rng = random.Random(2)
    for _ in range(700):
        ours.act(rng.choice(ours.minimal_actions()))
        if ours.game_over():
            ours.reset()
    ours.reseed(12)
    ours.reset()
    ale = reference(game, 12, 0.25)
    ale.reset_game()
    assert_same(ours, ale)
    play(ours, ale, 600, 3)
    ours.reset()
    ale.reset_game()
    play(ours, ale, 200, 3)


@every_game
def test_mode_and_difficulty_equal_ale(game: str) -> None:
    ale = reference(game, 1)
    mode, difficulty = ale.getAvailableModes()[-1], ale.getAvailableDifficulties()[-1]
    ale.setMode(mode)
    ale.setDifficulty(difficulty)
    ale.reset_game()
    ours = Emulator(game, mode=mode, difficulty=difficulty)
    for _ in range(2):
        ours.reseed(1)
        ours.reset()
        assert_same(ours, ale)
    play(ours, ale, 200, 1)


@both_engines
@every_game
def test_saved_state_continues_exactly(game: str, engine: str) -> None:
    first, second = (Emulator(game, sticky=0.25, engine=engine) for _ in range(2))
    rng = random.Random(4)
    actions = first.minimal_actions()
    first.reset()
    second.reset()
    for _ in range(rng.randrange(200, 300)):
        first.act(rng.choice(actions))
    for _ in range(rng.randrange(50)):
        second.act(rng.choice(actions))
    state = first.save()
    second.restore(state)
    for frame in range(400):
        action = rng.choice(actions)
        assert first.act(action) == second.act(action)
        same(first.ram(), second.ram(), f"frame {frame}")
        same(first.screen(), second.screen(), f"frame {frame}")
        if first.game_over():
            first.reset()
            second.reset()


@both_engines
@pytest.mark.parametrize(
    ("game", "steps"),
    [(g, 500) for g in games() if g in SOME]
    + [pytest.param(g, 2000, marks=pytest.mark.slow) for g in games()],
)
def test_undrawn_frames(game: str, steps: int, engine: str) -> None:
    """Leaving out the drawing of unseen frames changes nothing that is seen.

    On ALE, the exceptions are games that now and then emit a frame with fewer lines than the screen: what
    is shown below its end is left over from two frames earlier. They are listed in
    always_drawn() of emulator.cpp.
    """
    out = (ctypes.c_int * 4)()
    path = str(roms() / f"{game}.bin").encode()
    for skip in (3, 4):
        library().compare_undrawn(path, ENGINES[engine], skip, steps, skip, out)
        assert list(out) == [0, 0, 0, steps]


def test_bad_files_are_errors_that_name_them(tmp_path: Path) -> None:
    rom = tmp_path / "pong.bin"
    with pytest.raises(ValueError, match=r"no ROM file '.*pong\.bin'"):
        Emulator("", rom=str(rom))
    with pytest.raises(ValueError, match="no ROM file"):
        Emulator("", rom=str(tmp_path))
    rom.write_bytes(b"")
    with pytest.raises(ValueError, match="0 bytes"):
        Emulator("", rom=str(rom))
    rom.write_bytes(bytes(2048))
    with pytest.raises(ValueError, match=r"'.*pong\.bin' is not a ROM that ALE"):
        Emulator("", rom=str(rom))


def test_bad_modes_are_errors_that_list_the_good_ones() -> None:
    with pytest.raises(ValueError, match=r"mode 77 does not exist .* one of 0 1"):
        Emulator("pong", mode=77)
    with pytest.raises(ValueError, match="difficulty 9 does not exist"):
        Emulator("pong", difficulty=9)


def test_a_damaged_state_is_refused() -> None:
    pong, breakout = Emulator("pong"), Emulator("breakout")
    pong.reset()
    breakout.reset()
    with pytest.raises(ValueError, match="another game"):
        breakout.restore(pong.save())
    with pytest.raises(ValueError, match="not a saved Atari state"):
        pong.restore(b"abc")
    with pytest.raises(ValueError, match="not a saved Atari state"):
        pong.restore(pong.save()[:-1])
