"""Small 2600 programs, written by the tests as bytes. Ours alone: no game's code is in them."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps

# TIA registers that are written.
VSYNC, VBLANK, WSYNC = 0x00, 0x01, 0x02
NUSIZ0, NUSIZ1, COLUP0, COLUP1, COLUPF, COLUBK, CTRLPF = range(0x04, 0x0B)
REFP0, REFP1, PF0, PF1, PF2, RESP0, RESP1, RESM0, RESM1, RESBL = range(0x0B, 0x15)
GRP0, GRP1, ENAM0, ENAM1, ENABL, HMP0, HMP1, HMM0, HMM1, HMBL = range(0x1B, 0x25)
VDELP0, VDELP1, VDELBL, RESMP0, RESMP1, HMOVE, HMCLR, CXCLR = range(0x25, 0x2D)
REGISTERS = [*range(0x00, 0x02), *range(0x04, 0x15), *range(0x1B, 0x2D)]
PICTURE = [r for r in REGISTERS if r > VBLANK]
RAM = 0x80

JAMS = {op | low for op in range(0x00, 0x100, 0x10) for low in (2,)} - {0x82, 0xA2, 0xC2, 0xE2}


@dataclass
class Program:
    """Bytes from `origin` on. Jumps are made by address; `here` is the next one."""

    origin: int = 0xF000
    code: bytearray = field(default_factory=bytearray)
    handler: int | None = None
    """Where BRK goes; None: to `origin`."""

    @property
    def here(self) -> int:
        return self.origin + len(self.code)

    def emit(self, *values: int) -> None:
        self.code += bytes(values)

    def store(self, register: int, value: int) -> None:
        """5 cycles: LDA #value, STA register."""
        self.emit(0xA9, value & 0xFF, 0x85, register)

    def wsync(self) -> None:
        self.emit(0x85, WSYNC)

    def jump(self, address: int) -> None:
        self.emit(0x4C, address & 0xFF, address >> 8)

    def begin(self) -> None:
        """SEI, CLD, stack at the top, as programs begin."""
        self.emit(0x78, 0xD8, 0xA2, 0xFF, 0x9A)

    def delay(self, cycles: int) -> None:
        """Any number of cycles but 1. Changes X."""
        assert cycles >= 0
        assert cycles != 1
        while cycles >= 14:
            # LDX #rounds; DEX; BNE: takes a cycle more a round if it crosses a page, so it must not.
            while (self.here + 2) & 0xFF > 0xFA:
                self.emit(0xEA)
                cycles -= 2
            rounds = min(255, (cycles - 3) // 5)
            self.emit(0xA2, rounds, 0xCA, 0xD0, 0xFD)
            cycles -= 5 * rounds + 1
        if cycles % 2:
            self.emit(0x24, RAM)  # BIT: 3
            cycles -= 3
        while cycles > 0:
            self.emit(0xEA)
            cycles -= 2

    def image(self, size: int = 4096) -> bytes:
        """The program with its vectors, filled up with NOPs."""
        assert len(self.code) <= size - 6, len(self.code)
        rom = bytearray(self.code) + bytearray([0xEA]) * (size - len(self.code))
        start = self.origin
        rom[-6:] = bytes([start & 0xFF, start >> 8] * 3)
        if self.handler is not None:
            rom[-2:] = bytes([self.handler & 0xFF, self.handler >> 8])
        return bytes(rom)


def by_seed(write: Callable[[Program, random.Random, int], None]) -> Callable[[int], bytes]:
    """Makes programs of a function that writes one: the cartridge for each seed."""

    @wraps(write)
    def build(seed: int) -> bytes:
        program = Program()
        program.begin()
        write(program, random.Random(seed), seed)
        return program.image()

    return build


def begin_frame(program: Program, blank_lines: int = 30) -> int:
    """Three lines of VSYNC, then blank ones. The address to jump back to."""
    top = program.here
    program.store(VSYNC, 2)
    for _ in range(3):
        program.wsync()
    program.store(VSYNC, 0)
    program.store(VBLANK, 2)
    program.emit(0xA0, blank_lines)  # LDY; loop: WSYNC, DEY, BNE
    program.emit(0x85, WSYNC, 0x88, 0xD0, 0xFB)
    program.store(VBLANK, 0)
    return top


def end_frame(program: Program, top: int, keep_collisions: bool = True) -> None:
    """Collisions and a few ports go to RAM; back to the top."""
    if keep_collisions:
        for port in range(14):
            program.emit(0xA5, port, 0x85, RAM + 0x10 + port)
        program.emit(0xA5, RAM, 0x85, CXCLR, 0xE6, RAM + 0x40)
    program.jump(top)


def end_vsync(program: Program, top: int) -> None:
    """Two lines of VSYNC end a frame that shows nothing; back to the top."""
    program.wsync()
    program.wsync()
    program.store(VSYNC, 0)
    program.jump(top)
