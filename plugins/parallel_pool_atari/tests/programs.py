"""Programs of our own by what they exercise: what games do too seldom to show a difference.

    python programs.py LIBRARY [NAME ...]

prints the first difference from ALE that the programs of these names find, or, for "twins", of a
machine from one restored from its saved states; all without a name. `LIBRARY` may be a wrong one.

Each runs a few frames, with resets in between; RAM, cycles and screens are compared. Collisions and
ports end up in RAM.
"""

import ctypes
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import machine_programs as mp
import picture_programs as pp
import rom_builder as rb
from machine_programs import SCHEMES, cartridge

# Every cycle of a line; 76 and more are the first ones of the next. A write comes 5 cycles after WSYNC
# at the soonest, and not 6.
LINE = (5, *range(7, 81), 82)
# For HMOVE, and for what follows it within some cycles.
SOON, LATER = (5, *range(7, 24), *range(75, 81), 82), (3, 5, 6, 7, 18, 20, 21, 22)
# A push resets a player, which is drawn ahead of the next byte's clock: that byte is for a playfield.
DRAWN_AHEAD = [("4K", 1109), ("2K", 1194)]
BOTH = (True, False)

Part = Callable[[rb.Program], None]


@dataclass(frozen=True)
class Trial:
    rom: Callable[[], bytes]
    frames: int
    seed: int
    drawn: bool = True
    """Or frames are left out."""
    compare: str = "compare_machines"


def seeds(
    build: Callable[[int], bytes], count: int, frames: int, compare: str = "compare_machines"
) -> Iterator[Trial]:
    for seed, drawn in product(range(count), BOTH):
        yield Trial(partial(build, seed), frames, seed, drawn, compare)


def pictures(parts: list[Part], size: int) -> Iterator[Trial]:
    """As many programs as it takes, of as many parts as fit into 4 KiB."""
    begins = range(0, len(parts), size)
    for number, playfield in product(range(len(begins)), BOTH):
        begin = begins[number]
        rom = partial(pp.picture, parts[begin : begin + size], number, playfield=playfield)
        yield from (
            Trial(rom, 3 + (not drawn), 2 * number + (not playfield), drawn) for drawn in BOTH
        )


def registers() -> Iterator[Trial]:
    """Each written in every cycle of a line."""
    for register in rb.PICTURE:
        if register != rb.HMOVE:
            draw = random.Random(register)
            parts = [pp.write(cycle, register, draw.randrange(256)) for cycle in LINE + LINE]
            yield from pictures(parts, len(parts))


def moves() -> Iterator[Trial]:
    """HMOVE in every cycle, with every motion."""
    parts = [pp.move(cycle, motion) for motion, cycle in product(range(16), LINE)]
    yield from pictures(parts, 95)


def after_hmove() -> Iterator[Trial]:
    """Writes soon after it: the cases that Stella knows by the games that need them, and their neighbours."""
    for register in (rb.RESM0, rb.RESM1, rb.RESBL, rb.RESP0, rb.RESMP0, rb.HMM0):
        value, motion = (0x60, 7) if register == rb.HMM0 else (0, 3)
        parts = [
            pp.move_and(cycle, later, register, value, motion)
            for cycle, later in product(SOON, LATER)
        ]
        yield from pictures(parts, 80)


def twins() -> Iterator[Trial]:
    """Screens byte for byte, whether saved as a frame or as pixels; resets in mid-frame between."""
    for build in (pp.seldom_short, pp.cut_short, pp.long_frames, pp.long_waits, mp.jammed):
        yield from seeds(build, 12, 80, compare="compare_twins")


def banks() -> Iterator[Trial]:
    for seed, scheme, drawn in product(range(10), SCHEMES[2:], BOTH):
        yield Trial(partial(cartridge, scheme, seed, directed=True), 12, seed, drawn)


def opcodes(which: range, frames: int) -> Iterator[Trial]:
    """Random instructions; most fetch, read and write where no game would, hot spots included."""
    for scheme, seed in product(SCHEMES, which):
        rom = partial(cartridge, scheme, seed, jams=seed % 5 == 0)
        yield Trial(rom, frames, seed, seed % 3 != 0)


PROGRAMS: dict[str, Callable[[], Iterator[Trial]]] = {
    "scattered": lambda: seeds(mp.scattered, 30, 8),
    "timers": lambda: seeds(mp.timers, 15, 8),
    "arithmetic": lambda: seeds(mp.arithmetic, 12, 12),
    "cut short": lambda: seeds(pp.cut_short, 40, 40),
    "cut short behind a blank": lambda: seeds(pp.cut_short_behind_a_blank, 40, 40),
    "vsyncs": lambda: seeds(pp.vsyncs, 4, 80),
    "long frames": lambda: seeds(pp.long_frames, 10, 20),
    "long waits": lambda: seeds(pp.long_waits, 10, 20),
    "jammed": lambda: seeds(mp.jammed, 8, 20),
    "seldom short": lambda: seeds(pp.seldom_short, 12, 60),
    "twins": twins,
    "playfield alone": lambda: seeds(pp.playfield_alone, 6, 4),
    "drawn ahead": lambda: (
        Trial(partial(cartridge, scheme, seed), 12, seed) for scheme, seed in DRAWN_AHEAD
    ),
    "playfield without symmetry": lambda: seeds(pp.playfield_without_symmetry, 12, 4),
    "repeated": lambda: seeds(pp.repeated, 16, 4),
    "calls": lambda: seeds(mp.calls_into_the_tia, 15, 8),
    "masked stores": lambda: seeds(mp.masked_stores, 4, 4),
    "display processor": lambda: seeds(mp.display_processor, 20, 12),
    "banks": banks,
    "registers": registers,
    "moves": moves,
    "after hmove": after_hmove,
    "opcodes": lambda: opcodes(range(25), 8),
    "sixty opcodes": lambda: opcodes(range(60), 12),
}
LONG = ("sixty opcodes",)
"""Minutes: hundreds of programs."""


def first_difference(library: str, names: list[str], third: bool = False) -> str:
    """Empty if there is none. third: of the programs, where there are more than a few."""
    loaded = ctypes.CDLL(library)
    loaded.compare_machines.restype = loaded.compare_twins.restype = ctypes.c_char_p
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.bin"
        for name in names:
            trials = others = 0
            every = [*PROGRAMS[name]()]
            for trial in every[:: 3 if third and len(every) > 6 else 1]:
                path.write_bytes(trial.rom())
                compare = getattr(loaded, trial.compare)
                answer = compare(str(path).encode(), trial.frames, trial.seed, int(trial.drawn))
                found = answer.decode()
                if found and "no cartridge of the type" not in found:
                    return f"{name} {trials}, seed {trial.seed}, drawn {trial.drawn}: {found}"
                # Random bytes can look like a scheme that no game of ours has.
                trials, others = trials + 1, others + bool(found)
            if others > trials // 10:
                return f"{name}: {others} of {trials} are in cartridges that no game of ours has"
    return ""


if __name__ == "__main__":
    all_but_long = [name for name in PROGRAMS if name not in LONG]
    print("difference:", first_difference(sys.argv[1], sys.argv[2:] or all_but_long))
