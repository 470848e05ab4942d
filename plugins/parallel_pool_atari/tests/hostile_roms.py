"""ROMs that are not games: noise of every size, damaged games, and programs that misuse the machine.

    python hostile_roms.py LIBRARY FOLDER FIRST LAST

plays the ROMs with these numbers on both engines and prints a line for each: its number and kind before
it starts, so that a ROM that ends the process is known, and what was found after it.
"""

import ctypes
import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from atari_engine import roms
from machine_programs import soup
from rom_builder import JAMS, RAM, REGISTERS, VSYNC, WSYNC, Program

# What ALE tells cartridges by, and sizes around those; the largest is what it reads of a file.
SIZES = (2048, 4096, 8192, 10240, 10495, 10496, 12288, 16384, 32768, 65536, 131072, 8448, 16896)
LARGEST = 512 * 1024
# Of each kind of cartridge: what accesses it switches by.
HOT = (
    *range(0x1FE0, 0x2000),
    *range(0x1000, 0x1100),
    0x3E,
    0x3F,
    0x220,
    0x240,
    0x800,
    0x840,
    0x1E00,
)


def any_size(draw: random.Random) -> int:
    near = draw.choice(SIZES) + draw.choice([-1, 1])
    return draw.choice([*SIZES, near, draw.randrange(1, 70_000), draw.choice([1, 2, LARGEST])])


def noise(draw: random.Random) -> bytes:
    return draw.randbytes(any_size(draw))


def one_byte(draw: random.Random) -> bytes:
    """All bytes alike: one opcode, which is also every address."""
    return bytes([draw.randrange(256)]) * any_size(draw)


def damaged_game(draw: random.Random) -> bytes:
    rom = bytearray(draw.choice(sorted(roms().glob("*.bin"))).read_bytes())
    for _ in range(draw.choice([1, 2, 5, 20, 100, 1000])):
        rom[draw.randrange(len(rom))] = draw.randrange(256)
    if draw.random() < 0.2:
        rom[-6:] = draw.randbytes(6)  # it starts elsewhere
    return bytes(rom)


def parts_of_games(draw: random.Random) -> bytes:
    """Banks of one game among those of others, or a game cut off, repeated or moved."""
    games = [path.read_bytes() for path in draw.sample(sorted(roms().glob("*.bin")), 3)]
    rom = b"".join(game[draw.randrange(len(game)) :] + game for game in games)
    return rom[: any_size(draw)]


def other_cartridge(draw: random.Random) -> bytes:
    """The same in the cartridges that only ALE has."""
    size = draw.choice([8192, 8448, 12288, 16384, 16896, 32768, 65536, 131072, 33792])
    rom = bytearray(soup(draw.randrange(1 << 30), -(-size // 4096) * 4096, jams=True, hot=True))[
        :size
    ]
    for _ in range(draw.choice([0, 200])):
        at = draw.randrange(size - 8)
        address = draw.choice(HOT)
        rom[at : at + 3] = bytes([draw.choice([0xAD, 0x8D, 0x2C]), address & 0xFF, address >> 8])
    for signature in draw.choice([[b"\x85\x3e\xa9\x00"], [b"\x85\x3f"] * 9, [b"\x8d\x40\x02"], []]):
        at = draw.randrange(size - 8)
        rom[at : at + len(signature)] = signature
    if draw.random() < 0.3 and size % 4096 == 0:
        for bank in range(0, size, 4096):
            rom[bank : bank + 256] = bytes([rom[bank]]) * 256
    if draw.random() < 0.3 and size == 16384:
        rom[0x3800:0x3A00] = bytes(512)
    return bytes(rom)


def in_ram(draw: random.Random) -> bytes:
    """Code that is copied to RAM and runs there, over the end of RAM and over the stack, and changes
    itself."""
    program = Program()
    program.begin()
    code = bytearray(draw.randbytes(128))
    if draw.random() < 0.7:
        jams = [draw.randrange(256) for _ in range(128)]
        code = bytearray(0xEA if op in JAMS else op for op in jams)
    for at in range(0, 120, 24):
        code[at : at + 6] = bytes([0xE6, RAM + draw.randrange(128), 0x85, WSYNC, 0x85, VSYNC])
    if draw.random() < 0.5:
        code[125:] = bytes([0x4C, draw.randrange(256), draw.choice([0x00, 0x01, 0xF0])])
    for at, value in enumerate(code):
        program.store(RAM + at, value)
    target = draw.choice([RAM, 0x180, 0x80 + draw.randrange(128), 0x0900 + RAM, 0x02, 0x284])
    program.emit(0x4C, target & 0xFF, target >> 8)
    return program.image()


def stack_abuse(draw: random.Random) -> bytes:
    """Pushes and pulls without end, returns to nowhere, and interrupts; the stack anywhere."""
    program = Program()
    program.begin()
    program.emit(0xA2, draw.randrange(256), 0x9A)
    choices = [
        [0x48],
        [0x68],
        [0x08],
        [0x28],
        [0x00],
        [0x40],
        [0x60],
        [0xBA, 0xCA, 0x9A],
        [0x9B, 0x80, 0xF0],
    ]
    while len(program.code) < 3600:
        for byte in draw.choice(choices):
            program.emit(byte)
        if draw.random() < 0.3:
            program.emit(0x20, draw.randrange(256), draw.choice([0x00, 0x01, *range(0xF0, 0x100)]))
        if draw.random() < 0.2:
            program.emit(0xA9, draw.randrange(256), 0x85, draw.choice(REGISTERS))
        if draw.random() < 0.1:
            program.wsync()
    return program.image()


def no_frames(draw: random.Random) -> bytes:
    """A program that never ends a frame, ends them at once, or waits for lines at odd places."""
    program = Program()
    program.begin()
    top = program.here
    for _ in range(draw.randrange(1, 60)):
        kind = draw.randrange(8)
        if kind == 0:
            program.wsync()
        elif kind == 1:
            program.emit(
                draw.choice([0xE6, 0xC6, 0x06, 0x07, 0xE7, 0xC7]), draw.choice([WSYNC, VSYNC])
            )
        elif kind == 2:
            program.emit(0x9D, draw.choice([WSYNC, 0xFF, 0x3F]), draw.choice([0, 1, 0x10]))
        elif kind == 3:
            program.store(VSYNC, draw.choice([0, 2, 2, 0xFF]))
        elif kind == 4:
            program.emit(0x20, program.here + 3 & 0xFF, program.here + 3 >> 8)
        elif kind == 5:
            program.store(draw.choice(REGISTERS), draw.randrange(256))
        elif kind == 6:
            program.delay(draw.choice([2, 3, 76, 1000, 5000]))
        else:
            program.emit(0xAD, draw.randrange(256), draw.choice([0x02, 0x00, 0x1F]))
    program.emit(0x4C, top & 0xFF, top >> 8)
    return program.image()


KINDS: tuple[Callable[[random.Random], bytes], ...] = (
    noise,
    one_byte,
    damaged_game,
    parts_of_games,
    other_cartridge,
    in_ram,
    stack_abuse,
    no_frames,
)


def kind_of(number: int) -> Callable[[random.Random], bytes]:
    return KINDS[number % len(KINDS)]


def rom(number: int) -> bytes:
    made = bytearray(kind_of(number)(random.Random(number)))
    # A Supercharger's load has 24 pages. ALE copies as many as the header says, from behind the file,
    # too; no game that it supports is one.
    if len(made) % 8448 == 0:
        for pages in range(8192 + 3, len(made), 8448):
            made[pages] %= 25
    return bytes(made)


def main(library: str, folder: str, first: int, last: int) -> None:
    """Play ROMs first .. last - 1."""
    loaded = ctypes.CDLL(library)
    for name in ("compare_machines", "play_on_ale"):
        getattr(loaded, name).restype = ctypes.c_char_p
    path = Path(folder) / "hostile.bin"
    for number in range(first, last):
        print(number, kind_of(number).__name__, end=" ", flush=True)
        path.write_bytes(rom(number))
        frames = 8 if number % 50 else 60
        found = loaded.compare_machines(str(path).encode(), frames, number, int(number % 3 != 0))
        if b"no cartridge of the type" in found:
            found += b"; " + loaded.play_on_ale(str(path).encode(), frames, number)
        print(found.decode() or "equal", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
