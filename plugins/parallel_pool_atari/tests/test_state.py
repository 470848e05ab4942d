"""A restored game goes on as if nothing had happened: pixels, rewards, lives, RAM, random numbers."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from atari_engine import same
from parallel_pool import StateError
from parallel_pool_atari._plugin import rom_folder
from test_envs.checks import leaves, refused
from test_envs.forged_states import sealed
from test_envs.pools import begun
from test_envs.programs import python

SOON = {"max_num_frames_per_episode": 203}
EPISODIC = {"episodic_life": True, "repeat_action_probability": 0.25}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "pong": ("Pong-v5", {}),
    "pong sticky": ("Pong-v5", {"repeat_action_probability": 0.25, "reward_clip": True}),
    "breakout": ("Breakout-v5", EPISODIC),
    "breakout life": ("Breakout-v5", {"terminal_on_life_loss": True, "frame_skip": 3}),
    "breakout rgb": ("Breakout-v5", {**EPISODIC, "gray_scale": False, "stack_num": 2}),
    "breakout no pool": ("Breakout-v5", {**EPISODIC, "max_pool": False, "noop_max": 0}),
    "breakout one frame": ("Breakout-v5", {"frame_skip": 1, "stack_padding": "zero"}),
    "breakout cut": ("Breakout-v5", {**EPISODIC, **SOON}),
    "qbert": ("Qbert-v5", EPISODIC),
    "ale pong": ("atari/ALE-Pong-v5", {}),
    "ale breakout": ("atari/ALE-Breakout-v5", {"frameskip_high": 6, "frameskip": 2, **SOON}),
    "ale ram": ("atari/ALE-Breakout-v5", {"obs_type": "ram", **SOON}),
}


def equal(left: Any, right: Any) -> None:
    for got, wanted in zip(leaves(left), leaves(right), strict=True):
        same(got, wanted)


@pytest.mark.parametrize("steps", [600, pytest.param(1500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", CASES)
def test_a_restored_game_goes_on_as_its_twin(case: str, steps: int) -> None:
    """Through thousands of frames; restored in the middle, and before and after ends of episodes."""
    task_id, options = CASES[case]
    with begun(
        parallel_pool.make(task_id, num_envs=2, seed=1, **options),
        parallel_pool.make(task_id, num_envs=2, seed=50, num_threads=2, **options),
    ) as (twin, pool):
        pool.set_state(None, twin.get_state())
        draw = np.random.default_rng(0)
        before_end = after_end = False
        over = False
        for step in range(steps):
            # The pool plays on its own for a while and is called back: in the middle of episodes,
            # before their last step and after it; and then left alone for long enough.
            moved = step % 300 < 200 and (over or draw.random() < 0.2)
            if moved:
                state = twin.get_state()
                after_end |= over
                for _ in range(draw.integers(1, 4)):
                    pool.step(draw.integers(0, pool.single_action_space.n, 2))
                pool.set_state(None, state)
                assert pool.get_state() == state
            given = draw.integers(0, pool.single_action_space.n, 2)
            wanted = twin.step(given)
            equal(pool.step(given), wanted)
            over = bool((wanted[2] | wanted[3]).any())
            before_end |= over and moved
        if "pong" not in case and "one frame" not in case:  # whose episodes are too long
            assert before_end
            assert after_end
        # The random numbers are at the same place: a game that begins anew is the same game.
        pool.step(draw.integers(0, pool.single_action_space.n, 2))
        pool.set_state(None, twin.get_state())
        equal(pool.reset(), twin.reset())
        for _ in range(100):
            given = draw.integers(0, pool.single_action_space.n, 2)
            equal(pool.step(given), twin.step(given))


@pytest.mark.parametrize("engine", ["fast", "ale"])
@pytest.mark.parametrize("max_frames", [40, 41, 42, 43])
def test_a_game_that_is_restored_before_its_last_step_ends_as_its_twin(
    engine: str, max_frames: int
) -> None:
    """Whichever of the step's frames is the last: one shows what was seen before the restoring."""
    options = {
        "max_num_frames_per_episode": max_frames, "noop_max": 0, "use_fire_reset": False,
        "engine": engine,
    }  # fmt: skip
    with (
        parallel_pool.make("Breakout-v5", seed=1, **options) as twin,
        parallel_pool.make("Breakout-v5", seed=2, **options) as pool,
    ):
        twin.reset()
        over = False
        while not over:
            pool.reset()
            pool.step([2])
            pool.set_state(None, twin.get_state())
            wanted = twin.step([1])
            equal(pool.step([1]), wanted)
            over = bool(wanted[3])


UNPLAYED = """
import parallel_pool
for engine in ("fast", "ale"):
    with parallel_pool.make("Breakout-v5", seed=1, noop_max=0, use_fire_reset=False, engine=engine) as pool:
        pool.reset()
        states = pool.get_state()
        pool.set_state(None, states)
        print(states[0].hex())
"""


def test_a_state_before_the_first_action_holds_no_foreign_memory() -> None:
    """glibc fills the memory that it gives out with the complement of MALLOC_PERTURB_."""
    one, other = (python("-c", UNPLAYED, MALLOC_PERTURB_=each) for each in ("165", "90"))
    assert one == other


@pytest.mark.parametrize(
    ("game", "chip", "skipped"),
    [
        ("Pong", b"M6532", 0),  # how many bytes its memory has
        ("Asteroids", b"CartridgeF8", 0),
        ("RoadRunner", b"CartridgeF6", 0),
        ("ElevatorAction", b"CartridgeF8SC", 0),
        ("Pitfall2", b"CartridgeDPC", 0),
        ("Pitfall2", b"CartridgeDPC", 40),  # how many fetchers
        ("MontezumaRevenge", b"CartridgeE0", 16),  # behind the count: its fourth slice
    ],
)
def test_what_a_chip_has_not(game: str, chip: bytes, skipped: int) -> None:
    """A bank or a size: ALE would read or write there, in foreign memory."""
    with begun(parallel_pool.make(f"{game}-v5", num_envs=2, engine="ale"), seed=1) as pool:
        before = pool.get_state()
        altered = bytearray(before[0])
        at = altered.index(chip) + len(chip) + skipped
        for number in (9, 2**15, 2**16 - 1):
            altered[at : at + 4] = number.to_bytes(4, "little")
            with refused(StateError, "environment 0 refused its state", "has no such bank"):
                pool.set_state([0], [sealed(altered)])
        pool.reset()
        pool.set_state(None, before)
        pool.step(np.zeros(2, int))


def test_games_and_options_are_told_apart() -> None:
    with (
        parallel_pool.make("Pong-v5") as pong,
        parallel_pool.make("Breakout-v5") as breakout,
        parallel_pool.make("Breakout-v5", stack_num=2) as two,
        parallel_pool.make("Breakout-v5", engine="ale") as ale,
    ):
        for pool in (pong, breakout, two, ale):
            pool.reset()
        with pytest.raises(StateError, match="'game'"):
            pong.set_state(None, breakout.get_state())
        with pytest.raises(StateError, match="'stack_num'"):
            breakout.set_state(None, two.get_state())
        states = breakout.get_state(), ale.get_state()
        with pytest.raises(StateError, match="of the fast engine"):
            breakout.set_state(None, states[1])
        with pytest.raises(StateError, match="not a saved Atari state"):
            ale.set_state(None, states[0])


def test_the_place_of_a_rom_makes_no_difference_but_the_rom_does(tmp_path: Path) -> None:
    with parallel_pool.make("Breakout-v5") as pool:
        breakout_rom, pong_rom = tmp_path / "breakout.bin", tmp_path / "pong.bin"
        roms = rom_folder()
        assert roms is not None
        shutil.copy(roms / breakout_rom.name, breakout_rom)
        shutil.copy(roms / pong_rom.name, pong_rom)
        pool.reset()
        pool.step([2])
        (state,) = pool.get_state()
        with parallel_pool.make("Breakout-v5", rom_path=str(breakout_rom)) as moved:
            moved.set_state([0], [state])
            equal(moved.step([3]), pool.step([3]))
        with begun(
            parallel_pool.make("Breakout-v5", rom_path=str(pong_rom), full_action_space=False)
        ) as wrong:
            with pytest.raises(StateError, match="another game"):
                wrong.set_state([0], [state])
            wrong.reset()
            wrong.step([0])
