"""The programs of test_machine.py by what they exercise, for a library that may be wrong.

    python programs.py LIBRARY [NAME ...]

prints the first difference from ALE that the programs of these names find, or, for "twins", of a
machine from one restored from its saved states; all without a name.
"""

from __future__ import annotations

import ctypes
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import rom_builder as rb
from machine_programs import (
    arithmetic,
    calls_into_the_tia,
    display_processor,
    jammed,
    masked_stores,
    scattered,
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
from test_machine import DRAWN_AHEAD, LATER, LINE, SCHEMES, SOON, cartridge


@dataclass(frozen=True)
class Trial:
    rom: bytes
    frames: int
    seed: int
    drawn: bool = True
    compare: str = "compare_machines"


def seeds(
    build: Callable[[int], bytes], count: int, frames: int, *, seldom: int = 3
) -> Iterator[Trial]:
    """Every `seldom`-th program leaves frames out."""
    for seed in range(count):
        yield Trial(build(seed), frames, seed, drawn=seed % seldom != seldom - 1)


def twins() -> Iterator[Trial]:
    for seed, build in product(
        range(6),
        (
            seldom_short,
            cut_short,
            long_frames,
            jammed,
        ),
    ):
        for drawn in (True, False):
            yield Trial(build(seed), 80, seed, drawn, "compare_twins")


def banks() -> Iterator[Trial]:
    for seed, scheme in product(range(6), SCHEMES[2:]):
        yield Trial(cartridge(scheme, seed, directed=True), 12, seed)


def opcodes() -> Iterator[Trial]:
    for seed, scheme in product(range(60), SCHEMES):
        yield Trial(cartridge(scheme, seed, jams=seed % 5 == 0), 12, seed, drawn=seed % 3 != 0)


def registers() -> Iterator[Trial]:
    for register in rb.PICTURE:
        if register == rb.HMOVE:
            continue
        draw = random.Random(register)
        parts = [write(cycle, register, draw.randrange(256)) for cycle in LINE + LINE]
        for playfield in (True, False):
            yield Trial(picture(parts[:150], 1, playfield=playfield), 3, 1)


def moves() -> Iterator[Trial]:
    parts = [move(cycle, motion) for motion, cycle in product((1, 6, 7, 8, 14), LINE)]
    for begin in range(0, len(parts), 95):
        yield Trial(picture(parts[begin : begin + 95], begin), 3, 1)


def after_hmove() -> Iterator[Trial]:
    for register, value, motion in (
        (rb.RESM0, 0, 3),
        (rb.RESM1, 0, 3),
        (rb.RESBL, 0, 3),
        (rb.HMM0, 0x60, 7),
    ):
        parts = [
            move_and(cycle, later, register, value, motion) for cycle, later in product(SOON, LATER)
        ]
        for begin, playfield in product(range(0, len(parts), 80), (False, True)):
            yield Trial(
                picture(parts[begin : begin + 80], begin, playfield=playfield),
                3,
                1,
            )


PROGRAMS: dict[str, Callable[[], Iterator[Trial]]] = {
    "scattered": lambda: seeds(scattered, 12, 6),
    "timers": lambda: seeds(timers, 12, 6),
    "arithmetic": lambda: seeds(arithmetic, 6, 12),
    "cut short": lambda: seeds(cut_short, 12, 40),
    "cut short behind a blank": lambda: seeds(cut_short_behind_a_blank, 6, 20),
    "vsyncs": lambda: seeds(vsyncs, 3, 80),
    "long frames": lambda: seeds(long_frames, 8, 20),
    "long waits": lambda: seeds(long_waits, 8, 20),
    "jammed": lambda: seeds(jammed, 6, 20),
    "seldom short": lambda: seeds(seldom_short, 8, 20, seldom=1),
    "twins": twins,
    "playfield alone": lambda: seeds(playfield_alone, 6, 4),
    "drawn ahead": lambda: (
        Trial(cartridge(scheme, seed), 12, seed) for scheme, seed in DRAWN_AHEAD
    ),
    "playfield without symmetry": lambda: seeds(playfield_without_symmetry, 12, 4),
    "repeated": lambda: seeds(repeated, 16, 4),
    "calls": lambda: seeds(calls_into_the_tia, 12, 6),
    "masked stores": lambda: seeds(masked_stores, 3, 4),
    "display processor": lambda: seeds(display_processor, 12, 12),
    "banks": banks,
    "registers": registers,
    "moves": moves,
    "after hmove": after_hmove,
    "opcodes": opcodes,
}


def first_difference(library: str, names: list[str]) -> str:
    loaded = ctypes.CDLL(library)
    loaded.compare_machines.restype = loaded.compare_twins.restype = ctypes.c_char_p
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.bin"
        for name in names:
            for number, trial in enumerate(PROGRAMS[name]()):
                path.write_bytes(trial.rom)
                compare = getattr(loaded, trial.compare)
                answer = compare(str(path).encode(), trial.frames, trial.seed, int(trial.drawn))
                found = answer.decode()
                if found and "no cartridge of the type" not in found:
                    return f"{name} {number}, {found}"
    return ""


if __name__ == "__main__":
    print("difference:", first_difference(sys.argv[1], sys.argv[2:] or list(PROGRAMS)))
