"""Programs that work the processor, its timers, ports and cartridges."""

import random
from itertools import product

import rom_builder as rb
from picture_programs import objects
from rom_builder import Program, begin_frame, by_seed, end_frame, end_vsync


@by_seed
def jammed(program: Program, draw: random.Random, seed: int) -> None:
    """An opcode that stops the CPU somewhere in the picture of the fifth frame."""
    program.store(rb.RAM, 0)
    objects(program, draw)
    top = begin_frame(program)
    program.emit(0xA0, draw.randrange(2, 200), 0x85, rb.WSYNC, 0x88, 0xD0, 0xFB)
    program.delay(draw.randrange(2, 70))
    program.emit(0xE6, rb.RAM, 0xA5, rb.RAM, 0xC9, 5, 0xD0, 0x01, draw.choice(sorted(rb.JAMS)))
    program.emit(0xA0, 20, 0x85, rb.WSYNC, 0x88, 0xD0, 0xFB)
    end_frame(program, top)


@by_seed
def scattered(program: Program, draw: random.Random, seed: int) -> None:
    """Random writes at random times, several to a line, lines of any length."""
    objects(program, draw)
    top = begin_frame(program, draw.randrange(20, 45))
    while len(program.code) < 3700:
        if draw.random() < 0.3:
            program.wsync()
        choice = draw.random()
        if choice < 0.70:
            program.store(draw.choice(rb.PICTURE), draw.randrange(256))
        elif choice < 0.80:
            program.emit(0x85, draw.choice(rb.PICTURE))
        elif choice < 0.9:
            program.emit(0xA5, draw.randrange(16), 0x85, rb.RAM + draw.randrange(0x20, 0x40))
        else:
            program.delay(draw.choice([0, 2, 3, 4, 5, 7, 12, 20]))
    end_frame(program, top)


@by_seed
def timers(program: Program, draw: random.Random, seed: int) -> None:
    """Each interval, started with any value and read after any time, also beyond its end."""
    top = begin_frame(program, 3)
    slot = 0
    while len(program.code) < 3600:
        interval = draw.choice([0x294, 0x295, 0x296, 0x297, 0x29C])
        value = draw.choice([0, 1, 2, 3, 10, 76, 255, draw.randrange(256)])
        program.emit(0xA9, value, 0x8D, interval & 0xFF, interval >> 8)
        for _ in range(draw.randrange(1, 5)):
            program.delay(draw.choice([0, 2, 3, 5, 8, 13, 40, 90, 300, 1000]))
            port = draw.choice([0x284, 0x285, 0x286, 0x287, 0x280, 0x281, 0x282, 0x283, 0x28C])
            program.emit(0xAD, port & 0xFF, port >> 8, 0x85, rb.RAM + slot % 112)
            slot += 1
    # The customary waits: LDA, LDX or LDY of the timer, and BNE, BPL or BMI back to it.
    for slot, (load, branch) in enumerate(product((0xAD, 0xAE, 0xAC), (0xD0, 0x10, 0x30))):
        ticks = draw.randrange(2, 14) + (0x80 if branch == 0x30 else 0)
        program.emit(0xA9, ticks, 0x8D, draw.choice([0x95, 0x96]), 0x02)
        program.delay(draw.randrange(2, 40))
        program.emit(load, 0x84, 0x02, branch, 0xFB, 0xAD, 0x84, 0x02, 0x85, rb.RAM + 0x70 + slot)
    end_frame(program, top, keep_collisions=False)


@by_seed
def arithmetic(program: Program, draw: random.Random, seed: int) -> None:
    """Instructions with an immediate operand, in both modes, around the limits of two digits.

    A and the status after each are in RAM when a frame ends.
    """
    top = program.here
    while len(program.code) < 3900:
        for slot in range(0, 120, 2):
            if len(program.code) >= 3900:
                break
            a = draw.randrange(256)
            rest = (draw.choice([98, 99, 100]) - (a >> 4) * 10 - (a & 15)) % 100
            operand = draw.choice([rest // 10 << 4 | rest % 10, a, draw.randrange(256)])
            opcode = draw.choice([0x69, 0x69, 0xE9, 0xE9, 0xEB, 0x6B, 0x8B, 0xAB, 0xCB, 0x0B, 0x4B])
            program.emit(0xA2, draw.randrange(256), 0xA9, a)
            program.emit(draw.choice([0x18, 0x38]), draw.choice([0xD8, 0xF8]), opcode, operand)
            program.emit(0x08, 0xD8, 0x85, rb.RAM + slot, 0x68, 0x85, rb.RAM + slot + 1)
        program.store(rb.VSYNC, 2)
        program.wsync()
        program.wsync()
        program.store(rb.VSYNC, 0)
    program.jump(top)


def banked(seed: int, size: int) -> bytes:
    """Touches hot spots and reads what is in sight: the same program in every bank, other data.

    Code that runs over the hot spots is called as well: NOPs at $FF4 to $FF9, RTS behind them. So is a
    routine that loads another number in each slice of 1 KiB. Some spots are touched every other time
    only, so that the same instruction is executed in several banks.
    """
    draw = random.Random(seed)
    program = Program(origin=0xFC00)
    program.begin()
    top = program.here
    program.store(rb.VSYNC, 2)
    slot = 0
    while len(program.code) < 900:
        hot = [draw.randrange(0x1FE0, 0x1FFA), draw.randrange(0x1000, 0x1080)]
        address = draw.choice(
            [*hot, draw.randrange(0x1000, 0x1100), draw.randrange(0x1100, 0x1C00)]
        )
        program.emit(draw.choice([0xAD, 0xAD, 0xAD, 0x8D]), address & 0xFF, address >> 8)
        program.emit(0x85, rb.RAM + slot % 120)
        slot += 1
        if draw.random() < 0.05:
            program.emit(0x20, 0xF4, 0xFF)
        if draw.random() < 0.2:
            program.emit(0x20, 0xF0, 0xFB)
        if draw.random() < 0.1:
            turns, spot = rb.RAM + 125, draw.randrange(0x1FE0, 0x1FF9)
            program.emit(0xE6, turns, 0xA5, turns, 0x29, 1, 0xAA, 0xBD, spot & 0xFF, spot >> 8)
    end_vsync(program, top)
    rom = bytearray(draw.randbytes(size))
    for number, piece in enumerate(range(0, size, 1024)):
        rom[piece + 0x3F0 : piece + 0x3F3] = bytes([0xA9, number, 0x60])
    for bank in range(0, size, 4096):
        rom[bank + 0xC00 : bank + 0xC00 + len(program.code)] = program.code
        rom[bank + 0xFF4 : bank + 0x1000] = bytes([0xEA] * 6 + [0x60, 0x60] + [0x00, 0xFC] * 2)
    return bytes(rom)


@by_seed
def calls_into_the_tia(program: Program, draw: random.Random, seed: int) -> None:
    """JSR and BRK with the stack among the TIA's registers: two or three writes at one clock.

    The time each takes (the first of its writes can wait for the line's end, the others cannot) and
    a read of the stack there are kept in RAM; the rest is seen.
    """
    objects(program, draw)
    top = begin_frame(program, draw.randrange(20, 45))
    slot = 0
    while len(program.code) < 3700:
        if draw.random() < 0.5:
            program.wsync()
        program.delay(draw.choice([0, *range(2, 60)]))
        stack = draw.choice([0x02, 0x03, 0x04, 0x0B, 0x0D, 0x0F, draw.randrange(0x04, 0x2D)])
        program.emit(0xA2, stack, 0x9A, 0xA9, 0xFF, 0x8D, 0x94, 0x02)  # TXS; TIM1T
        if draw.random() < 0.5:
            target = program.here + 3
            program.emit(0x20, target & 0xFF, target >> 8)
        else:
            target = program.here + 10
            program.emit(0xA9, target & 0xFF, 0x85, rb.RAM, 0xA9, target >> 8, 0x85, rb.RAM + 1)
            program.emit(0x00, 0xEA)  # BRK to the JMP (RAM) at the end
        program.emit(0xAD, 0x84, 0x02, 0x85, rb.RAM + 2 + slot % 100)
        program.emit(0x68, 0x85, rb.RAM + 3 + slot % 100)
        slot += 2
        program.store(rb.VBLANK, 0)
    end_frame(program, top)
    program.handler = program.here
    program.emit(0x6C, rb.RAM, 0x00)


@by_seed
def masked_stores(program: Program, draw: random.Random, seed: int) -> None:
    """SHA, SHX, SHY and SHS to RAM through all the addresses it answers to."""
    top = program.here
    program.store(rb.VSYNC, 2)
    while len(program.code) < 3600:
        # RAM: lines 12 and 9 low, 7 high; the others count for the mask alone.
        index = draw.randrange(0x100)
        base = ((draw.randrange(0x100) & ~0x12) << 8 | draw.randrange(0x80, 0x100)) - index
        low, high = base & 0xFF, base >> 8 & 0xFF
        opcode = draw.choice([0x93, 0x9B, 0x9C, 0x9E, 0x9F])
        registers = {0xA9: draw.randrange(256), 0xA2: draw.randrange(256), 0xA0: index}
        if opcode == 0x9C:  # the one that is indexed with X
            registers |= {0xA2: index, 0xA0: draw.randrange(256)}
        if opcode == 0x93:
            program.emit(0xA9, low, 0x85, rb.RAM, 0xA9, high, 0x85, rb.RAM + 1)
        for load, value in registers.items():
            program.emit(load, value)
        program.emit(opcode, *([rb.RAM] if opcode == 0x93 else [low, high]))
        program.emit(0xBA, 0x86, rb.RAM + 2)  # what SHS made of the stack pointer
    end_vsync(program, top)


def display_processor(seed: int) -> bytes:
    """DPC: all of its registers, with music playing across the ends of frames."""
    draw = random.Random(seed)
    program = Program(origin=0xF080)  # the registers are below
    program.begin()
    top = program.here
    program.store(rb.VSYNC, 2)
    slot = 0
    for fetcher in range(8):
        for function, value in (
            (0, draw.choice([0, 1, 3, draw.randrange(256)])),
            (1, draw.choice([0, 1, draw.randrange(256)])),
            (2, draw.randrange(256)),
            (3, draw.randrange(256)),
        ):
            if draw.random() < 0.8:
                program.emit(0xA9, value, 0x8D, 0x40 + 8 * function + fetcher, 0x10)
    while len(program.code) < 3400:
        choice = draw.random()
        if choice < 0.15:
            program.delay(draw.choice([0, 3, 20, 76, 150, 1000]))
        elif choice < 0.25:
            register = 0x40 + 8 * draw.choice([0, 1, 2, 3, 3, 6]) + draw.randrange(8)
            program.emit(0xA9, draw.randrange(256), 0x8D, register, 0x10)
        else:
            function = draw.choice([0, 0, 0, 1, 2, 7, draw.randrange(8)])
            program.emit(0xAD, 8 * function + draw.randrange(8), 0x10, 0x85, rb.RAM + slot % 120)
            slot += 1
    end_vsync(program, top)
    bank = bytes(128) + program.image(4096 - 128)
    return bank * 2 + draw.randbytes(2048)


def soup(seed: int, size: int = 4096, *, jams: bool = False, hot: bool = False) -> bytes:
    """Random instructions with operands where something is; every opcode but those that jam.

    `hot`: many operands in a cartridge's first 256 and last 64 bytes.
    """
    draw = random.Random(seed)
    rom = bytearray()
    opcodes = [op for op in range(256) if jams or op not in rb.JAMS]
    while len(rom) < size:
        opcode = draw.choice(opcodes)
        rom.append(opcode)
        low = draw.choice([draw.randrange(0x2D), draw.randrange(0x80, 0x100), draw.randrange(256)])
        high = draw.choice(
            [0x00, 0x00, 0x01, 0x02, 0x10, 0x1F, 0xF0 + draw.randrange(16), draw.randrange(256)]
        )
        if hot and draw.random() < 0.3:
            low, high = draw.choice(
                [(draw.randrange(256), 0x10), (draw.randrange(256), 0x10), (0, 0x1F), (0, 0x1F)]
            )
            low = low or draw.randrange(0xC0, 0x100)
        rom += bytes([low, high][: draw.randrange(3)])
        if draw.random() < 0.02:
            rom += bytes([0x85, rb.WSYNC])
        if draw.random() < 0.01:  # a frame's end, or nothing would ever be shown
            rom += bytes(
                [0xA9, 2, 0x85, rb.VSYNC, 0x85, rb.WSYNC, 0x85, rb.WSYNC, 0xA9, 0, 0x85, rb.VSYNC]
            )
    rom = rom[:size]
    for end in range(4096, size + 1, 4096):
        start = 0xF000 + draw.randrange(0xE00)
        rom[end - 6 : end] = bytes([start & 0xFF, start >> 8] * 3)
    if size < 4096:
        start = 0xF000 + draw.randrange(size - 0x100)
        rom[-6:] = bytes([start & 0xFF, start >> 8] * 3)
    return bytes(rom)


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
