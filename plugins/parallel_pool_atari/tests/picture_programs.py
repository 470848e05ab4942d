"""Programs that draw: objects, playfields, writes in the middle of a line, frames of every length."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from rom_builder import (
    COLUBK,
    COLUP0,
    COLUP1,
    COLUPF,
    CTRLPF,
    CXCLR,
    ENABL,
    ENAM0,
    ENAM1,
    GRP0,
    GRP1,
    HMBL,
    HMM0,
    HMM1,
    HMOVE,
    HMP0,
    HMP1,
    NUSIZ0,
    NUSIZ1,
    PF0,
    PF1,
    PF2,
    PICTURE,
    RAM,
    REFP0,
    REFP1,
    RESBL,
    RESM0,
    RESM1,
    RESMP0,
    RESMP1,
    RESP0,
    RESP1,
    VDELBL,
    VDELP0,
    VDELP1,
    VSYNC,
    WSYNC,
    Program,
    begin_frame,
    end_frame,
    prologue,
)


def objects(program: Program, draw: random.Random, *, playfield: bool = True) -> None:
    """All objects somewhere, with random looks. The playfield can hide the ball: both do."""
    for register in (RESP0, RESP1, RESM0, RESM1, RESBL):
        program.wsync()
        program.delay(draw.randrange(2, 66))
        program.emit(0x85, register)
    for register in PICTURE:
        if register in (RESP0, RESP1, RESM0, RESM1, RESBL, HMOVE, RESMP0, RESMP1, CXCLR):
            continue
        program.store(register, draw.randrange(256))
    for register in (ENAM0, ENAM1, ENABL):
        program.store(register, 2)
    for register in (GRP0, GRP1, GRP0):
        program.store(register, draw.randrange(1, 256))
    program.store(RESMP0, 0)
    program.store(RESMP1, 0)
    if not playfield:
        for register in (PF0, PF1, PF2):
            program.store(register, 0)


def at(program: Program, cycle: int, register: int, value: int) -> None:
    """A write in that cycle since WSYNC let go; 5 is the first. Beyond 75: in the next line."""
    program.emit(0xA9, value & 0xFF)  # LDA #: 2; the store takes 3
    program.delay(cycle - 5)
    program.emit(0x85, register)


def picture(
    parts: Iterable[Callable[[Program], None]], seed: int, *, playfield: bool = True
) -> bytes:
    """A program that shows all objects and does each of the parts once a frame."""
    program = Program()
    prologue(program)
    objects(program, random.Random(seed), playfield=playfield)
    top = begin_frame(program)
    for part in parts:
        program.wsync()
        part(program)
    end_frame(program, top)
    return program.image()


def write(cycle: int, register: int, value: int) -> Callable[[Program], None]:
    """A line with one write."""
    return lambda program: at(program, cycle, register, value)


def move(cycle: int, motion: int, value: int = 0) -> Callable[[Program], None]:
    """All objects are to move by `motion`; HMOVE is strobed in `cycle` of the next line."""

    def part(program: Program) -> None:
        program.emit(0xA9, motion << 4)
        for register in (HMP0, HMP1, HMM0, HMM1, HMBL):
            program.emit(0x85, register)
        program.wsync()
        at(program, cycle, HMOVE, value)

    return part


def move_and(
    cycle: int, later: int, register: int, value: int, motion: int
) -> Callable[[Program], None]:
    """HMOVE in `cycle`, and a write `later` cycles after it: 3, or 5 and more."""

    def part(program: Program) -> None:
        move(cycle, motion, value)(program)
        program.delay(later - 3)
        program.emit(0x85, register)

    return part


def few_objects(program: Program, draw: random.Random, count: int) -> None:
    """`count` of the six objects, over a random background; the others are off."""
    objects(program, draw)
    shown = draw.sample(range(6), count)
    off = [(GRP0, GRP0), (GRP1, GRP1), (ENAM0,), (ENAM1,), (ENABL,), (PF0, PF1, PF2)]
    for register in (VDELP0, VDELP1, VDELBL):
        program.store(register, 0)
    for number, registers in enumerate(off):
        if number not in shown:
            for register in registers:
                program.store(register, 0)


def playfield_alone(seed: int) -> bytes:
    """Nothing but a playfield, with every value of CTRLPF and every order of score and priority."""
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    few_objects(program, draw, 0)
    for register in (PF0, PF1, PF2):
        program.store(register, draw.randrange(1, 256))
    top = begin_frame(program)
    for _ in range(150):
        program.wsync()
        at(program, draw.choice([5, *range(7, 70)]), CTRLPF, draw.randrange(256))
    end_frame(program, top)
    return program.image()


def playfield_without_symmetry(seed: int) -> bytes:
    """Parts of a playfield written several times a line, and seldom anything else drawn."""
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    few_objects(program, draw, seed % 3)
    top = begin_frame(program)
    for _ in range(100):
        program.wsync()
        if draw.random() < 0.2:
            program.store(CTRLPF, draw.randrange(8))
        for _ in range(draw.randrange(1, 5)):
            program.delay(draw.choice([0, *range(2, 24)]))
            program.store(draw.choice((PF0, PF1, PF2)), draw.randrange(256))
    end_frame(program, top)
    return program.image()


def repeated(seed: int) -> bytes:
    """Writes of few values, so that most change nothing; objects that come and go along a line.

    A playfield has score and priority colours at once in every other program.
    """
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    few_objects(program, draw, draw.randrange(1, 4))
    few = [0, 2, draw.randrange(256)]
    looks = (GRP0, GRP1, ENAM0, ENAM1, ENABL, VDELP0, VDELP1, VDELBL)
    others = (NUSIZ0, NUSIZ1, CTRLPF, PF0, PF1, PF2, REFP0, REFP1, RESMP0, RESMP1, RESP0, RESP1)
    colours = (COLUP0, COLUP1, COLUPF, COLUBK)
    top = begin_frame(program)
    if seed % 2:
        program.store(CTRLPF, 6)
        program.store(PF1, 0xAA)
    while len(program.code) < 3700:
        program.wsync()
        if draw.random() < (0.01 if seed % 2 else 0.1):
            # A player of four times its size, whose first copy is put off until it has its size again.
            size, reset, graphics = draw.choice([(NUSIZ0, RESP0, GRP0), (NUSIZ1, RESP1, GRP1)])
            program.store(size, 7)
            program.store(graphics, 0xFF)
            program.delay(draw.randrange(14, 30))
            program.emit(0xA9, 7, 0x85, reset, 0x85, size)
        for _ in range(draw.randrange(1, 6)):
            register = draw.choice(draw.choice((looks, looks, others, colours)))
            if seed % 2 and register in (CTRLPF, PF1):
                continue
            if draw.random() < 0.4:
                program.delay(draw.choice([2, 3, 5, 8, 13, 20]))
            program.store(register, draw.choice(few))
    end_frame(program, top)
    return program.image()


def cut_short(seed: int) -> bytes:
    """Frames that end in the middle of the picture, in any cycle, with a few objects on."""
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    few_objects(program, draw, draw.randrange(4))
    top = program.here
    for _ in range(8):
        program.store(VSYNC, 2)
        program.emit(0xA0, draw.randrange(36, 90), 0x85, WSYNC, 0x88, 0xD0, 0xFB)
        if draw.random() < 0.3:
            program.emit(0x85, HMOVE)
        program.store(draw.choice(PICTURE[:18]), draw.randrange(256))
        program.delay(draw.choice([0, *range(2, 60)]))
        program.store(VSYNC, 0)
    program.emit(0x4C, top & 0xFF, top >> 8)
    return program.image()


def cut_short_behind_a_blank(seed: int) -> bytes:
    """Long frames and short ones, which end soon behind a blank that HMOVE lengthens.

    A write in that blank leaves black pixels further to the right than the frame comes.
    """
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    top = program.here
    for lines in (150, 150, 60, 80, 160, 50):
        program.store(VSYNC, 2)
        program.store(COLUBK, draw.randrange(1, 128) << 1)
        program.emit(0xA0, lines - draw.randrange(10), 0x85, WSYNC, 0x88, 0xD0, 0xFB)
        program.emit(0xA9, draw.randrange(1, 256), 0x85, WSYNC, 0x85, HMOVE)
        program.emit(0x85, draw.choice([GRP0, PF1, REFP1]))  # ends in cycle 6 of the line
        # Another colour: what the line has so far is drawn, so that its blank is over.
        colour, end = draw.choice([(26, 36), (28, 36), (26, 40), (29, 40), (30, 40)])
        program.delay(colour - 6 - 5)
        program.store(COLUBK, draw.randrange(1, 128) << 1)
        program.delay(end - colour - 5)
        program.store(VSYNC, 0)
    program.emit(0x4C, top & 0xFF, top >> 8)
    return program.image()


def vsyncs(seed: int) -> bytes:
    """VSYNC for about as long as it takes to end a frame: one line."""
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    top = program.here
    while len(program.code) < 3800:
        program.wsync()
        program.delay(draw.choice([0, *range(2, 70)]))
        program.store(VSYNC, 2)
        program.delay(draw.randrange(68, 76))  # and 5 for the store
        program.store(VSYNC, 0)
        program.emit(0xE6, RAM)
    program.emit(0x4C, top & 0xFF, top >> 8)
    return program.image()


def long_frames(seed: int) -> bytes:
    """No VSYNC: frames that end by themselves after some lines, or are shown unfinished.

    Odd seeds leave the TIA alone for long, in loops of instructions of any length.
    """
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    objects(program, draw)
    top = program.here
    while len(program.code) < 3800:
        if seed % 2:
            count = program.here
            fill = draw.choice([[0xEA], [0x24, RAM], [0xE6, RAM + 1], [0xFE, RAM + 2, 0x00], []])
            program.emit(*fill, 0xE6, RAM, 0xD0, (count - program.here - len(fill) - 4) & 0xFF)
            program.emit(0xE6, RAM + 3)
        else:
            program.wsync()
            program.delay(draw.choice([0, *range(2, 90)]))
        if draw.random() < (0.02 if seed % 2 else 1):
            program.store(draw.choice(PICTURE), draw.randrange(256))
        if seed % 2 and draw.random() < 0.02:
            program.wsync()
    program.emit(0x4C, top & 0xFF, top >> 8)
    return program.image()


def long_waits(seed: int) -> bytes:
    """No VSYNC: frames that wait for the timer, for longer than a call takes.

    Odd seeds wait often and shortly, and call a routine in RAM in between.
    """
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    objects(program, draw)
    for at, byte in enumerate((0xE6, RAM + 2, 0x60)):  # INC, RTS
        program.store(RAM + 8 + at, byte)
    top = program.here
    while len(program.code) < 3800:
        timer = 0x95 if seed % 2 else draw.choice([0x95, 0x96, 0x97])  # TIM8T, TIM64T, T1024T
        if seed % 2:
            program.emit(0x20, RAM + 8, 0x00)
        program.emit(0xA9, draw.randrange(256), 0x8D, timer, 0x02)
        program.emit(0xE6, RAM, *[0xEA] * draw.randrange(3))
        load, branch = draw.choice([0xAD, 0xAE, 0xAC]), draw.choice([0xD0, 0xD0, 0x10, 0x30])
        program.emit(load, 0x84, 0x02, branch, 0xFB, 0xE6, RAM + 1)
        if draw.random() < (0.01 if seed % 2 else 0.1):
            program.store(draw.choice(PICTURE), draw.randrange(256))
    program.emit(0x4C, top & 0xFF, top >> 8)
    return program.image()


def seldom_short(seed: int) -> bytes:
    """Whole frames, no two alike, but for one in eight, which ends in mid-picture."""
    draw = random.Random(seed)
    program = Program()
    prologue(program)
    few_objects(program, draw, draw.randrange(4))
    top = program.here
    for frame in range(40):
        program.store(VSYNC, 2)
        short = frame % 8 == seed % 8
        for lines in [draw.randrange(36, 90), *([] if short else [draw.randrange(170, 190)])]:
            program.store(draw.choice([COLUBK, COLUPF, PF0, PF1, PF2]), draw.randrange(256))
            program.emit(0xA0, lines, 0x85, WSYNC, 0x88, 0xD0, 0xFB)
        program.delay(draw.choice([0, *range(2, 60)]))
        program.store(VSYNC, 0)
    program.emit(0x4C, top & 0xFF, top >> 8)
    return program.image()
