"""Deliberate mistakes in the machine, one per quirk."""

from __future__ import annotations

from dataclasses import dataclass

CPU = ("cpu6507/exact_cpu.cpp", "cpu6507/fast_cpu.cpp")


@dataclass(frozen=True)
class Mutant:
    """`before` stands once in src/vcs/`file`; `units` are the sources to compile for it."""

    name: str
    file: str
    before: str
    after: str

    @property
    def units(self) -> tuple[str, ...]:
        return {
            "cpu6507/instructions.hpp": CPU,
            "bus.hpp": CPU,
            "riot.hpp": CPU,
            "tia/motion.hpp": ("tia/write.cpp",),
            "cartridge/dpc.hpp": ("cartridge/cartridge.cpp",),
            "cartridge/cartridge.hpp": ("machine.cpp",),
        }.get(self.file, (self.file,))


WRITE, BEAM, OBJECTS = "tia/write.cpp", "tia/beam.cpp", "tia/objects.cpp"
INSTRUCTIONS, MOTION = "cpu6507/instructions.hpp", "tia/motion.hpp"
DPC = "cartridge/dpc.hpp"

MUTANTS = [
    Mutant("player reset five after", WRITE, "reset_position(3, 5)", "reset_position(3, 4)"),
    Mutant("player reset in blank", WRITE, "reset_position(3, 5)", "reset_position(2, 5)"),
    Mutant("copy goes on", WRITE, "kCopyGoesOn = 11", "kCopyGoesOn = 12"),
    Mutant("size delay", WRITE, "kSizeDelay = 8", "kSizeDelay = 7"),
    Mutant("graphics delay", WRITE, "kDelayed = 1;", "kDelayed = 0;"),
    *[
        Mutant(f"playfield phase {i}", WRITE, "{4, 5, 2, 3}", after)
        for i, after in enumerate(["{3, 5, 2, 3}", "{4, 4, 2, 3}", "{4, 5, 3, 3}", "{4, 5, 2, 4}"])
    ],
    Mutant("reflection latch", WRITE, "kBlankClocks + 79", "kBlankClocks + 76"),
    Mutant("vsync length", WRITE, "after(clock, kLineClocks)", "after(clock, kLineClocks + 3)"),
    Mutant("Dolphin", WRITE, "since_hmove == 20 * 3", "since_hmove == 20"),
    Mutant("Pitfall II", WRITE, "p == 1 && since_hmove == 3 * 3", "p == 1 && since_hmove == 3"),
    Mutant("Mindmaster", WRITE, "since_hmove == 18 * 3", "since_hmove == 18"),
    Mutant("Decathlon", WRITE, "    if (since_hmove == 3 * 3 &&", "    if (since_hmove == 3 &&"),
    Mutant("Robot Tank", WRITE, "since_hmove == 7 * 3", "since_hmove == 7"),
    Mutant("Hole Hunter", WRITE, "since_hmove == 6 * 3", "since_hmove == 6"),
    Mutant("missile in the middle", WRITE, "mode == 7 ? 16 : 4", "mode == 7 ? 16 : 5"),
    Mutant("Cosmic Ark begins", WRITE, "== 21 * 3 && s.hm", "== 22 * 3 && s.hm"),
    Mutant("Cosmic Ark steps", BEAM, "{18, 33, 0, 17}", "{18, 33, 0, 16}"),
    Mutant("Cosmic Ark hides", BEAM, "? MissileShape::kHidden", "? MissileShape::kPlain"),
    Mutant("hmove early", MOTION, "(70 - 3 * cycle)", "(71 - 3 * cycle)"),
    Mutant("hmove late", MOTION, "(222 - 3 * cycle)", "(220 - 3 * cycle)"),
    Mutant("hmove blank", MOTION, "kLastBlankCycle = 20", "kLastBlankCycle = 21"),
    Mutant(
        "line ends late",
        BEAM,
        "clock > s.drawn_until + s.line_left",
        "clock >= s.drawn_until + s.line_left",
    ),
    Mutant("first copy comes back", BEAM, "    s.first_hidden[p] = 0;\n", ""),
    Mutant("score shortcut", BEAM, "score && enabled == bit(kPlayfield)", "score && false"),
    Mutant(
        "score over player 1",
        BEAM,
        "const bool score = (s.ctrlpf & kScore) != 0;\n  const LineMask",
        "const bool score = false;\n  const LineMask",
    ),
    Mutant(
        "latch order",
        BEAM,
        "    {kMissile0, kPlayer1},\n    {kMissile0, kPlayer0},",
        "    {kMissile0, kPlayer0},\n    {kMissile0, kPlayer1},",
    ),
    Mutant("overshoot", BEAM, "if (canvas.eager) overshoot", "if (false) overshoot"),
    Mutant(
        "wide players start late",
        OBJECTS,
        "std::uint64_t{kTwice[graphics]} << 1",
        "std::uint64_t{kTwice[graphics]}",
    ),
    Mutant("start clocks", OBJECTS, "kStartClocks = 4", "kStartClocks = 5"),
    Mutant(
        "forced end",
        BEAM,
        "s.frame_limit = s.frame_start + kLineClocks * (tv.most_lines + 1)",
        "s.frame_limit = s.frame_start + kLineClocks * tv.most_lines",
    ),
    Mutant(
        "bus noise of PLA",
        INSTRUCTIONS,
        "return this->read_zero(++sp, on_bus);",
        "return this->read_zero(++sp, opcode);",
    ),
    Mutant("decimal carry", INSTRUCTIONS, "carry = sum > 99;", "carry = sum > 98;"),
    Mutant(
        "meaningless digits",
        INSTRUCTIONS,
        "from_bcd(static_cast<std::uint8_t>(difference))",
        "to_bcd(static_cast<std::uint8_t>(difference))",
    ),
    Mutant("ANE", INSTRUCTIONS, "load(a, (a | 0xee) & x & v)", "load(a, (a | 0xff) & x & v)"),
    Mutant("LXA", INSTRUCTIONS, "load(a, x = (a | 0xee) & v)", "load(a, x = a & v)"),
    Mutant("SHA", INSTRUCTIONS, "value & (high(address) + 1)", "value & high(address)"),
    Mutant("ARR", INSTRUCTIONS, "(rotated >> 6 ^ rotated >> 5) & 1", "(rotated >> 6) & 1"),
    Mutant("second write waits", "bus.hpp", "turn != Turn::kAgain", "true"),
    Mutant("pushes draw", "bus.hpp", "if (turn != Turn::kOnly) {", "if (false) {"),
    Mutant("timer latch", "riot.hpp", "past <= -2", "past <= -1"),
    Mutant("timer goes on", "riot.hpp", "- offset);", ");"),
    Mutant(
        "hot fetch",
        "cartridge/cartridge.cpp",
        "hot_reads_.first - 2 : kView - 2",
        "kView - 2 : kView - 2",
    ),
    Mutant(
        "RAM write port",
        "cartridge/cartridge.cpp",
        "has_ram() && at < kSuperchip",
        "has_ram() && at < 64",
    ),
    Mutant("DPC random numbers", DPC, "parity ^ 1", "parity"),
    Mutant("DPC oscillator", DPC, "s.fractional_clocks = clocks -", "s.fractional_clocks = 0 *"),
    Mutant("DPC across frames", "cartridge/cartridge.hpp", "s.dpc.clocked -= cycles;", ""),
    Mutant("DPC period", DPC, "s.top[x] + 1", "s.top[x]"),
    Mutant("DPC flag", DPC, "low <= s.bottom[x]", "low < s.bottom[x]"),
    Mutant("DPC music is loaded", DPC, "? s.top[x] : value", "? value : value"),
    Mutant(
        "DPC clocks its reads",
        DPC,
        "    s.counter[x] = static_cast<std::uint16_t>((s.counter[x] - 1) & 0x7ff);\n",
        "",
    ),
    Mutant(
        "instruction limit", "machine.cpp", "n < kMostInstructions", "n < kMostInstructions - 1"
    ),
    Mutant("grey", "machine.cpp", "(row[x] & 0x0f) >> 1", "row[x] & 0x0f"),
    Mutant("leftovers", "machine.cpp", "if (undrawn.waits) draw_undrawn(which);", ""),
    Mutant(
        "what draws eagerly",
        "machine.cpp",
        "return clocks > tia::kBlankClocks && clocks % 4 != 0;",
        "return false;",
    ),
]
