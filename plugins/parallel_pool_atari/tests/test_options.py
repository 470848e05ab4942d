"""What each option does, where Gymnasium has nothing to compare with; EnvPool is the model."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from atari_engine import Emulator, find_driver
from parallel_pool import EnvBuildError, OptionError
from parallel_pool_atari._plugin import rom_folder
from test_envs.programs import python

FIRE = 1
needs_driver = pytest.mark.skipif(find_driver() is None, reason="no atari_test_driver library")


def play(pool: Any, steps: int, seed: int = 0) -> Iterator[tuple[Any, ...]]:
    """The results of random steps, after a reset."""
    pool.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        yield pool.step(rng.integers(0, pool.single_action_space.n, pool.num_envs))


def test_episodic_life_goes_on_with_the_same_game() -> None:
    with parallel_pool.make("Breakout-v5", episodic_life=True) as pool:
        lives, lost, over = 5, 0, 0
        after_end = False
        for _, _, terminated, _, info in play(pool, 1500):
            if after_end:
                assert info["lives"][0] == lives
                assert not terminated[0]
                after_end = False
            elif terminated[0]:
                after_end = True
                if info["terminated"][0]:
                    over, lives = over + 1, 5
                    assert info["lives"][0] == 0
                else:
                    lost, lives = lost + 1, lives - 1
                    assert info["lives"][0] == lives > 0
            else:
                assert info["lives"][0] == lives
        assert over > 2
        assert lost > 3 * over


@pytest.mark.parametrize("seed", [None, 1])
def test_episodic_life_keeps_the_stack_and_a_reset_starts_a_new_game(seed: int | None) -> None:
    with parallel_pool.make("Breakout-v5", episodic_life=True, img_height=21, img_width=20) as pool:
        previous = None
        for obs, _, terminated, _, info in play(pool, 400):
            if previous is not None:
                np.testing.assert_array_equal(obs[0, :3], previous[0, 1:])
                break
            if terminated[0]:
                previous = obs
                assert info["lives"][0] == 4
        assert previous is not None
        _, info = pool.reset(seed=seed)
        assert info["lives"][0] == 5


def test_reward_clip_takes_the_sign_and_keeps_the_score_in_info() -> None:
    with parallel_pool.make("Seaquest-v5", reward_clip=True) as pool:
        scores = set()
        for _, reward, _, _, info in play(pool, 1500):
            assert reward[0] == np.sign(info["reward"][0])
            scores.add(float(info["reward"][0]))
        assert max(scores) > 1


@needs_driver
@pytest.mark.parametrize("game", ["Breakout", "Freeway"])
@pytest.mark.parametrize("fire", [True, False])
def test_the_start_of_an_episode(game: str, fire: bool) -> None:
    """No-ops, the last replaced by one FIRE in games that have it (Freeway has not)."""
    emulator = Emulator(game.lower())
    presses = fire and FIRE in emulator.offers("actions")

    def ram_after(noops: int) -> bytes:
        emulator.reseed(0)
        emulator.reset()
        for _ in range(noops):
            emulator.act(0)
        if presses:
            emulator.act(FIRE)
        return emulator.ram()

    none = parallel_pool.make(f"{game}-v5", use_fire_reset=fire, noop_max=0)
    _, info = none.reset(seed=0)
    assert info["ram"][0].tobytes() == ram_after(0)
    none.close()

    with parallel_pool.make(f"{game}-v5", num_envs=60, use_fire_reset=fire, noop_max=5) as some:
        _, info = some.reset(seed=0)
        counts = range(0, 5) if presses else range(1, 6)
        assert {ram.tobytes() for ram in info["ram"]} == {ram_after(n) for n in counts}


def test_zero_discount_on_life_loss() -> None:
    for zero in (True, False):
        pool = parallel_pool.make("Breakout-v5", "dm", zero_discount_on_life_loss=zero)
        pool.reset()
        rng = np.random.default_rng(0)
        lost = {0.0: 0, 1.0: 0}
        lives = 5
        for _ in range(600):
            step = pool.step(rng.integers(0, 4, 1))
            now = int(step.observation.lives[0])
            if step.step_type[0] == 1 and now < lives:
                lost[float(step.discount[0])] += 1
            if step.step_type[0] == 2:
                assert step.discount[0] == 0
            lives = now
        assert lost[0.0 if zero else 1.0] > 3
        assert lost[1.0 if zero else 0.0] == 0
        pool.close()


def test_bilinear_and_area_differ() -> None:
    frames = []
    for area in (True, False):
        pool = parallel_pool.make("Pong-v5", use_inter_area_resize=area)
        frames.append(pool.reset(seed=0)[0])
        pool.close()
    assert (frames[0] != frames[1]).any()


NO_NAMES = ("../roms/pong", "/etc/passwd", "pong/../pong", "..", "")
"""Of row 41 in docs/failures.md: a game is a name and no path."""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stack_num": 0}, "stack_num"),
        ({"frame_skip": 0}, "frame_skip"),
        ({"noop_max": -1}, "noop_max"),
        ({"img_height": 0}, "img_height"),
        ({"img_width": 5000}, "img_width"),
        ({"repeat_action_probability": 1.5}, "repeat_action_probability"),
        ({"stack_padding": "one"}, "stack_padding"),
        ({"max_num_frames_per_episode": -1}, "max_num_frames_per_episode"),
        ({"episodic_lives": True}, "episodic_life"),
        ({"mode": 77}, "^atari/Pong-v5: mode 77 does not exist .* one of 0 1"),
        ({"difficulty": 9}, "difficulty 9 does not exist"),
        *(({"game": each}, "the name of a ROM") for each in NO_NAMES),
    ],
)
def test_what_is_wrong_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parallel_pool.make("Pong-v5", **options)


def test_two_meanings_of_a_lost_life_exclude_each_other() -> None:
    with pytest.raises(EnvBuildError, match="exclude each other"):
        parallel_pool.make("Pong-v5", episodic_life=True, terminal_on_life_loss=True)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (
            ["Pong-v5", "Breakout-v5"],
            r"0 \(atari/Pong-v5\) and 1 \(atari/Breakout-v5\).*Discrete\(6\) and Discrete\(4\).*"
            "With full_action_space=True for all of them they agree",
        ),
        (["ALE/Pong-v5", "ALE/AirRaid-v5"], "observation: .*210.*250.*pool for each"),
    ],
)
def test_games_that_fit_no_common_pool(ids: list[str], message: str) -> None:
    """That each plays as in a pool of its own: tests/registry/test_every_env.py."""
    with pytest.raises(OptionError, match=message):
        parallel_pool.make(ids, full_action_space=ids[0].startswith("ALE"))


def test_a_missing_rom_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALE_ROMS_DIR", str(tmp_path))
    with pytest.raises(OptionError, match=r"pong\.bin is missing.*pip install 'ale-py"):
        parallel_pool.make("Pong-v5")
    (tmp_path / "pong.bin").write_bytes(bytes(4096))
    with pytest.raises(ValueError, match=r"pong\.bin' is not a ROM that ALE"):
        parallel_pool.make("Pong-v5")


def test_ale_py_is_found_without_importing_it() -> None:
    make = "import parallel_pool, sys; parallel_pool.make('Pong-v5').close(); "
    python("-c", f"{make}sys.exit('ale_py' in sys.modules)")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "no ROM file"),
        (b"", "0 bytes"),
        (b"\0" * 4096, "is not a ROM that ALE"),
        (b"\xff" * (512 * 1024 + 1), ""),
    ],
)
def test_row_41_a_file_that_is_no_rom(content: bytes | None, words: str, tmp_path: Path) -> None:
    file = tmp_path / "pong.bin"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ValueError, match=rf"(?s)pong\.bin.*{words}|{words}.*pong\.bin"):
        parallel_pool.make("Pong-v5", rom_path=str(file))


@pytest.mark.parametrize("content", [None, b"", b"\0" * 5000, "pong"])
@pytest.mark.parametrize("engine", ["ale", "fast"])
def test_a_rom_file_that_changes_is_not_read_again(
    engine: str, content: bytes | str | None, tmp_path: Path
) -> None:
    """Some resets load the game anew; ALE ends the process if the file is gone or of an odd size."""
    roms = rom_folder()
    assert roms is not None
    file = tmp_path / "berzerk.bin"
    file.write_bytes((roms / "berzerk.bin").read_bytes())
    with parallel_pool.make("ALE/Berzerk-v5", rom_path=str(file), engine=engine) as pool:
        before = pool.reset(seed=1)[0]
        if content is None:
            file.unlink()
        else:
            other = (roms / f"{content}.bin").read_bytes() if isinstance(content, str) else content
            file.write_bytes(other)
        assert (pool.reset(seed=1)[0] == before).all()
