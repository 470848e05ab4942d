"""Programs of our own on ALE's machine and on ours: what games do too seldom to show a difference.

Each runs a few frames, with resets in between; RAM, cycles and screens are compared. Collisions and
ports end up in RAM.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from atari_engine import compare_machines, compare_twins, library
from machine_programs import (
    arithmetic,
    banked,
    calls_into_the_tia,
    display_processor,
    jammed,
    masked_stores,
    scattered,
    soup,
    timers,
)
from picture_programs import (
    cut_short,
    cut_short_behind_a_blank,
    long_frames,
    long_waits,
    move,
    move_and,
    picture,
    playfield_alone,
    playfield_without_symmetry,
    repeated,
    seldom_short,
    vsyncs,
    write,
)
from rom_builder import (
    CTRLPF,
    HMM0,
    HMOVE,
    NUSIZ0,
    NUSIZ1,
    PICTURE,
    REGISTERS,
    RESBL,
    RESM0,
    RESM1,
    RESMP0,
    RESP0,
    RESP1,
    VSYNC,
    Program,
)

Part = Callable[[Program], None]
# Every cycle of a line; 76 and more are the first ones of the next. A write comes 5 cycles after WSYNC
# at the soonest, and not 6.
LINE = (5, *range(7, 81), 82)
# For HMOVE, and for what follows it within some cycles.
SOON, LATER = (5, *range(7, 24), *range(75, 81), 82), (3, 5, 6, 7, 18, 20, 21, 22)


def programs(parts: list[Part], size: int) -> Iterator[bytes]:
    """As many programs as it takes, of as many parts as fit into 4 KiB."""
    for number, begin in enumerate(range(0, len(parts), size)):
        for playfield in (True, False):
            yield picture(parts[begin : begin + size], number, playfield=playfield)


def assert_same(roms: Iterator[bytes], frames: int = 3) -> None:
    for seed, rom in enumerate(roms):
        for drawn in (True, False):
            found = compare_machines(rom, frames=frames + (not drawn), seed=seed, drawn=drawn)
            assert found == "", f"program {seed}, drawn {drawn}"


@pytest.mark.parametrize("register", [r for r in PICTURE if r != HMOVE])
def test_a_register_written_in_every_cycle_of_a_line(register: int) -> None:
    draw = random.Random(register)
    parts = [write(cycle, register, draw.randrange(256)) for cycle in LINE + LINE]
    assert_same(programs(parts, 150))


@pytest.mark.parametrize("register", [RESP0, RESP1, RESM0, RESM1, RESBL])
def test_a_reset_in_every_cycle_for_every_number_and_size(register: int) -> None:
    parts: list[Part] = []
    size = {RESP0: NUSIZ0, RESM0: NUSIZ0, RESP1: NUSIZ1, RESM1: NUSIZ1, RESBL: CTRLPF}[register]
    for number, cycle in product(range(8), LINE):
        parts += [write(7, size, number | number << 4 & 0x30), write(cycle, register, 0)]
    assert_same(programs(parts, 160))


def test_hmove_in_every_cycle_with_every_motion() -> None:
    parts = [move(cycle, motion) for motion, cycle in product(range(16), LINE)]
    assert_same(programs(parts, 95))


@pytest.mark.parametrize(
    ("register", "value", "motion"),
    [(RESM0, 0, 3), (RESM1, 0, 3), (RESBL, 0, 3), (RESP0, 0, 3), (RESMP0, 0, 3), (HMM0, 0x60, 7)],
)
def test_a_write_soon_after_hmove(register: int, value: int, motion: int) -> None:
    """The cases Stella knows by the games that need them, and all their neighbours."""
    parts = [
        move_and(cycle, later, register, value, motion) for cycle, later in product(SOON, LATER)
    ]
    assert_same(programs(parts, 80))


@pytest.mark.parametrize("seed", range(30))
def test_random_writes(seed: int) -> None:
    assert compare_machines(scattered(seed), frames=8, seed=seed, drawn=seed % 3 != 0) == ""


@pytest.mark.parametrize("seed", range(6))
def test_a_playfield_alone(seed: int) -> None:
    assert compare_machines(playfield_alone(seed), frames=4, seed=seed) == ""


@pytest.mark.parametrize("seed", range(12))
def test_a_playfield_without_symmetry(seed: int) -> None:
    rom = playfield_without_symmetry(seed)
    for drawn in (True, False):
        assert compare_machines(rom, frames=4, seed=seed, drawn=drawn) == ""


@pytest.mark.parametrize("seed", range(16))
def test_writes_that_change_nothing(seed: int) -> None:
    rom = repeated(seed)
    for drawn in (True, False):
        assert compare_machines(rom, frames=4, seed=seed, drawn=drawn) == ""


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(
    "program", [cut_short, cut_short_behind_a_blank], ids=lambda program: program.__name__
)
def test_frames_that_end_in_mid_picture(program: Callable[[int], bytes], seed: int) -> None:
    """What is below their end is older, and the very last pixels are Stella's."""
    for drawn in (True, False):
        assert compare_machines(program(seed), frames=40, seed=seed, drawn=drawn) == ""


@pytest.mark.parametrize("seed", range(12))
def test_a_short_frame_shows_one_that_was_left_out(seed: int) -> None:
    for drawn in (True, False):
        assert compare_machines(seldom_short(seed), frames=60, seed=seed, drawn=drawn) == ""


@pytest.mark.parametrize("seed", range(4))
def test_how_long_vsync_has_to_be(seed: int) -> None:
    assert compare_machines(vsyncs(seed), frames=80, seed=seed) == ""


@pytest.mark.parametrize("seed", range(10))
def test_frames_without_an_end(seed: int) -> None:
    for program in (long_frames(seed), long_waits(seed)):
        for drawn in (True, False):
            assert compare_machines(program, frames=20, seed=seed, drawn=drawn) == ""


@pytest.mark.parametrize("seed", range(8))
def test_a_cpu_that_stops(seed: int) -> None:
    """ALE shows such a frame in grey from the line on that it has come to."""
    for drawn in (True, False):
        assert compare_machines(jammed(seed), frames=20, seed=seed, drawn=drawn) == ""


@pytest.mark.parametrize(
    "program",
    [seldom_short, cut_short, long_frames, long_waits, jammed],
    ids=lambda program: program.__name__,
)
def test_a_restored_machine_goes_on_as_its_twin(program: Callable[[int], bytes]) -> None:
    """Screens byte for byte, whether saved as a frame or as pixels; resets in mid-frame between."""
    for seed in range(12):
        for drawn in (True, False):
            assert compare_twins(program(seed), frames=80, seed=seed, drawn=drawn) == "", seed


@pytest.mark.parametrize("seed", range(12))
def test_arithmetic(seed: int) -> None:
    assert compare_machines(arithmetic(seed), frames=12, seed=seed) == ""


@pytest.mark.parametrize("seed", range(15))
def test_timers(seed: int) -> None:
    assert compare_machines(timers(seed), frames=8, seed=seed) == ""


@pytest.mark.parametrize("seed", range(15))
def test_calls_with_the_stack_in_the_tia(seed: int) -> None:
    rom = calls_into_the_tia(seed)
    assert compare_machines(rom, frames=8, seed=seed, drawn=seed % 3 != 0) == ""


@pytest.mark.parametrize("seed", range(4))
def test_stores_of_what_the_address_masks(seed: int) -> None:
    assert compare_machines(masked_stores(seed), frames=4, seed=seed) == ""


@pytest.mark.parametrize("seed", range(20))
def test_the_display_processor(seed: int) -> None:
    assert compare_machines(display_processor(seed), frames=12, seed=seed) == ""


# By what is detected in a ROM of that size: 2K, 4K, F8, F6, DPC, and E0 and FE by their signatures,
# F8SC and F6SC by RAM's 256 bytes being alike.
SIGNATURES = {"E0": bytes([0x8D, 0xE0, 0x1F]), "FE": bytes([0x20, 0x00, 0xD0, 0xC6, 0xC5])}


def cartridge(scheme: str, seed: int, *, jams: bool = False, directed: bool = False) -> bytes:
    size = {"2K": 2048, "4K": 4096, "F6": 16384, "F6SC": 16384}.get(scheme, 8192)
    if directed:
        rom = bytearray(banked(seed, size))
    else:
        rom = bytearray(soup(seed, size, jams=jams, hot=scheme not in {"2K", "4K"}))
    if scheme.endswith("SC"):
        for bank in range(0, size, 4096):
            rom[bank : bank + 256] = bytes([rom[bank]]) * 256
    if scheme in SIGNATURES:
        rom[0x200 : 0x200 + len(SIGNATURES[scheme])] = SIGNATURES[scheme]
    if scheme == "DPC":
        rom += random.Random(seed).randbytes(2048)
    return bytes(rom)


SCHEMES = ["2K", "4K", "F8", "F6", "F8SC", "F6SC", "E0", "FE", "DPC"]


def play_soup(scheme: str, seeds: range, frames: int) -> None:
    others = 0
    for seed in seeds:
        rom = cartridge(scheme, seed, jams=seed % 5 == 0)
        found = compare_machines(rom, frames=frames, seed=seed, drawn=seed % 3 != 0)
        # Random bytes can look like a scheme that no game of ours has.
        others += "no cartridge of the type" in found
        assert found == "" or "no cartridge of the type" in found, f"{seed}: {found}"
    assert others <= len(seeds) // 10


@pytest.mark.parametrize("scheme", SCHEMES[2:])
def test_banks(scheme: str) -> None:
    for seed in range(10):
        rom = cartridge(scheme, seed, directed=True)
        assert compare_machines(rom, frames=12, seed=seed, drawn=False) == "", seed


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_opcode_in_every_cartridge(scheme: str) -> None:
    """Random instructions; most fetch, read and write where no game would, hot spots included."""
    play_soup(scheme, range(25), frames=8)


# A push resets a player, which is drawn ahead of the next byte's clock: that byte is for a playfield.
DRAWN_AHEAD = [("4K", 1109), ("2K", 1194)]


@pytest.mark.parametrize(("scheme", "seed"), DRAWN_AHEAD)
def test_a_playfield_behind_what_is_drawn(scheme: str, seed: int) -> None:
    assert compare_machines(cartridge(scheme, seed), frames=12, seed=seed) == ""


@pytest.mark.slow  # minutes: thousands of programs
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_opcode_in_every_cartridge_for_long(scheme: str) -> None:
    play_soup(scheme, range(1000, 1400), frames=12)


def test_registers_are_complete() -> None:
    """The sweep above covers what the TIA has, but for VSYNC, VBLANK and sound."""
    assert set(REGISTERS) - set(PICTURE) == {VSYNC, VSYNC + 1}


def test_every_instruction_set_draws_the_same() -> None:
    """Those that this processor has; the scalar one is what they are held to."""
    sets = ctypes.c_int()
    assert library().compare_painters(1, 20_000, ctypes.byref(sets)) == -1
