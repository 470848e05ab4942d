"""Programs that draw: objects, playfields, writes in the middle of a line, frames of every length."""

import random
from collections.abc import Callable, Iterable

import rom_builder as rb
from rom_builder import Program, begin_frame, by_seed, end_frame


def objects(program: Program, draw: random.Random, *, playfield: bool = True) -> None:
    """All objects somewhere, with random looks. The playfield can hide the ball: both do."""
    places = (rb.RESP0, rb.RESP1, rb.RESM0, rb.RESM1, rb.RESBL)
    for register in places:
        program.wsync()
        program.delay(draw.randrange(2, 66))
        program.emit(0x85, register)
    for register in rb.PICTURE:
        if register not in (*places, rb.HMOVE, rb.RESMP0, rb.RESMP1, rb.CXCLR):
            program.store(register, draw.randrange(256))
    for register in (rb.ENAM0, rb.ENAM1, rb.ENABL):
        program.store(register, 2)
    for register in (rb.GRP0, rb.GRP1, rb.GRP0):
        program.store(register, draw.randrange(1, 256))
    program.store(rb.RESMP0, 0)
    program.store(rb.RESMP1, 0)
    if not playfield:
        for register in (rb.PF0, rb.PF1, rb.PF2):
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
    program.begin()
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
        for register in (rb.HMP0, rb.HMP1, rb.HMM0, rb.HMM1, rb.HMBL):
            program.emit(0x85, register)
        program.wsync()
        at(program, cycle, rb.HMOVE, value)

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
    off = [
        (rb.GRP0, rb.GRP0),
        (rb.GRP1, rb.GRP1),
        (rb.ENAM0,),
        (rb.ENAM1,),
        (rb.ENABL,),
        (rb.PF0, rb.PF1, rb.PF2),
    ]
    for register in (rb.VDELP0, rb.VDELP1, rb.VDELBL):
        program.store(register, 0)
    for number, registers in enumerate(off):
        if number not in shown:
            for register in registers:
                program.store(register, 0)


@by_seed
def playfield_alone(program: Program, draw: random.Random, seed: int) -> None:
    """Nothing but a playfield, with every value of CTRLPF and every order of score and priority."""
    few_objects(program, draw, 0)
    for register in (rb.PF0, rb.PF1, rb.PF2):
        program.store(register, draw.randrange(1, 256))
    top = begin_frame(program)
    for _ in range(150):
        program.wsync()
        at(program, draw.choice([5, *range(7, 70)]), rb.CTRLPF, draw.randrange(256))
    end_frame(program, top)


@by_seed
def playfield_without_symmetry(program: Program, draw: random.Random, seed: int) -> None:
    """Parts of a playfield written several times a line, and seldom anything else drawn."""
    few_objects(program, draw, seed % 3)
    top = begin_frame(program)
    for _ in range(100):
        program.wsync()
        if draw.random() < 0.2:
            program.store(rb.CTRLPF, draw.randrange(8))
        for _ in range(draw.randrange(1, 5)):
            program.delay(draw.choice([0, *range(2, 24)]))
            program.store(draw.choice((rb.PF0, rb.PF1, rb.PF2)), draw.randrange(256))
    end_frame(program, top)


@by_seed
def repeated(program: Program, draw: random.Random, seed: int) -> None:
    """Writes of few values, so that most change nothing; objects that come and go along a line.

    A playfield has score and priority colours at once in every other program.
    """
    few_objects(program, draw, draw.randrange(1, 4))
    few = [0, 2, draw.randrange(256)]
    looks = (rb.GRP0, rb.GRP1, rb.ENAM0, rb.ENAM1, rb.ENABL, rb.VDELP0, rb.VDELP1, rb.VDELBL)
    others = (
        rb.NUSIZ0,
        rb.NUSIZ1,
        rb.CTRLPF,
        rb.PF0,
        rb.PF1,
        rb.PF2,
        rb.REFP0,
        rb.REFP1,
        rb.RESMP0,
        rb.RESMP1,
        rb.RESP0,
        rb.RESP1,
    )
    colours = (rb.COLUP0, rb.COLUP1, rb.COLUPF, rb.COLUBK)
    top = begin_frame(program)
    if seed % 2:
        program.store(rb.CTRLPF, 6)
        program.store(rb.PF1, 0xAA)
    while len(program.code) < 3700:
        program.wsync()
        if draw.random() < (0.01 if seed % 2 else 0.1):
            # A player of four times its size, whose first copy is put off until it has its size again.
            size, reset, graphics = draw.choice(
                [(rb.NUSIZ0, rb.RESP0, rb.GRP0), (rb.NUSIZ1, rb.RESP1, rb.GRP1)]
            )
            program.store(size, 7)
            program.store(graphics, 0xFF)
            program.delay(draw.randrange(14, 30))
            program.emit(0xA9, 7, 0x85, reset, 0x85, size)
        for _ in range(draw.randrange(1, 6)):
            register = draw.choice(draw.choice((looks, looks, others, colours)))
            if seed % 2 and register in (rb.CTRLPF, rb.PF1):
                continue
            if draw.random() < 0.4:
                program.delay(draw.choice([2, 3, 5, 8, 13, 20]))
            program.store(register, draw.choice(few))
    end_frame(program, top)


@by_seed
def cut_short(program: Program, draw: random.Random, seed: int) -> None:
    """Frames that end in the middle of the picture, in any cycle, with a few objects on."""
    few_objects(program, draw, draw.randrange(4))
    top = program.here
    for _ in range(8):
        program.store(rb.VSYNC, 2)
        program.emit(0xA0, draw.randrange(36, 90), 0x85, rb.WSYNC, 0x88, 0xD0, 0xFB)
        if draw.random() < 0.3:
            program.emit(0x85, rb.HMOVE)
        program.store(draw.choice(rb.PICTURE[:18]), draw.randrange(256))
        program.delay(draw.choice([0, *range(2, 60)]))
        program.store(rb.VSYNC, 0)
    program.jump(top)


@by_seed
def cut_short_behind_a_blank(program: Program, draw: random.Random, seed: int) -> None:
    """Long frames and short ones, which end soon behind a blank that HMOVE lengthens.

    A write in that blank leaves black pixels further to the right than the frame comes.
    """
    top = program.here
    for lines in (150, 150, 60, 80, 160, 50):
        program.store(rb.VSYNC, 2)
        program.store(rb.COLUBK, draw.randrange(1, 128) << 1)
        program.emit(0xA0, lines - draw.randrange(10), 0x85, rb.WSYNC, 0x88, 0xD0, 0xFB)
        program.emit(0xA9, draw.randrange(1, 256), 0x85, rb.WSYNC, 0x85, rb.HMOVE)
        program.emit(0x85, draw.choice([rb.GRP0, rb.PF1, rb.REFP1]))  # ends in cycle 6 of the line
        # Another colour: what the line has so far is drawn, so that its blank is over.
        colour, end = draw.choice([(26, 36), (28, 36), (26, 40), (29, 40), (30, 40)])
        program.delay(colour - 6 - 5)
        program.store(rb.COLUBK, draw.randrange(1, 128) << 1)
        program.delay(end - colour - 5)
        program.store(rb.VSYNC, 0)
    program.jump(top)


@by_seed
def vsyncs(program: Program, draw: random.Random, seed: int) -> None:
    """VSYNC for about as long as it takes to end a frame: one line."""
    top = program.here
    while len(program.code) < 3800:
        program.wsync()
        program.delay(draw.choice([0, *range(2, 70)]))
        program.store(rb.VSYNC, 2)
        program.delay(draw.randrange(68, 76))  # and 5 for the store
        program.store(rb.VSYNC, 0)
        program.emit(0xE6, rb.RAM)
    program.jump(top)


@by_seed
def long_frames(program: Program, draw: random.Random, seed: int) -> None:
    """No VSYNC: frames that end by themselves after some lines, or are shown unfinished.

    Odd seeds leave the TIA alone for long, in loops of instructions of any length.
    """
    objects(program, draw)
    top = program.here
    while len(program.code) < 3800:
        if seed % 2:
            count = program.here
            fill = draw.choice(
                [[0xEA], [0x24, rb.RAM], [0xE6, rb.RAM + 1], [0xFE, rb.RAM + 2, 0x00], []]
            )
            program.emit(*fill, 0xE6, rb.RAM, 0xD0, (count - program.here - len(fill) - 4) & 0xFF)
            program.emit(0xE6, rb.RAM + 3)
        else:
            program.wsync()
            program.delay(draw.choice([0, *range(2, 90)]))
        if draw.random() < (0.02 if seed % 2 else 1):
            program.store(draw.choice(rb.PICTURE), draw.randrange(256))
        if seed % 2 and draw.random() < 0.02:
            program.wsync()
    program.jump(top)


@by_seed
def long_waits(program: Program, draw: random.Random, seed: int) -> None:
    """No VSYNC: frames that wait for the timer, for longer than a call takes.

    Odd seeds wait often and shortly, and call a routine in RAM in between.
    """
    objects(program, draw)
    for at, byte in enumerate((0xE6, rb.RAM + 2, 0x60)):  # INC, RTS
        program.store(rb.RAM + 8 + at, byte)
    top = program.here
    while len(program.code) < 3800:
        timer = 0x95 if seed % 2 else draw.choice([0x95, 0x96, 0x97])  # TIM8T, TIM64T, T1024T
        if seed % 2:
            program.emit(0x20, rb.RAM + 8, 0x00)
        program.emit(0xA9, draw.randrange(256), 0x8D, timer, 0x02)
        program.emit(0xE6, rb.RAM, *[0xEA] * draw.randrange(3))
        load, branch = draw.choice([0xAD, 0xAE, 0xAC]), draw.choice([0xD0, 0xD0, 0x10, 0x30])
        program.emit(load, 0x84, 0x02, branch, 0xFB, 0xE6, rb.RAM + 1)
        if draw.random() < (0.01 if seed % 2 else 0.1):
            program.store(draw.choice(rb.PICTURE), draw.randrange(256))
    program.jump(top)


@by_seed
def seldom_short(program: Program, draw: random.Random, seed: int) -> None:
    """Whole frames, no two alike, but for one in eight, which ends in mid-picture."""
    few_objects(program, draw, draw.randrange(4))
    top = program.here
    for frame in range(40):
        program.store(rb.VSYNC, 2)
        short = frame % 8 == seed % 8
        for lines in [draw.randrange(36, 90), *([] if short else [draw.randrange(170, 190)])]:
            program.store(
                draw.choice([rb.COLUBK, rb.COLUPF, rb.PF0, rb.PF1, rb.PF2]), draw.randrange(256)
            )
            program.emit(0xA0, lines, 0x85, rb.WSYNC, 0x88, 0xD0, 0xFB)
        program.delay(draw.choice([0, *range(2, 60)]))
        program.store(rb.VSYNC, 0)
    program.jump(top)
