"""Mistakes in the CPU, the RIOT and the cartridges, and in how frames begin and end."""

from __future__ import annotations

from mutant import Mutant

INSTRUCTIONS, REGISTERS = "cpu6507/instructions.hpp", "cpu6507/cpu_registers.hpp"
DPC = "cartridge/dpc.hpp"

MACHINE_MUTANTS = [
    Mutant(
        "bus noise of PLA",
        "calls",
        INSTRUCTIONS,
        "return this->read_zero(++sp, on_bus);",
        "return this->read_zero(++sp, opcode);",
    ),
    Mutant("decimal carry", "arithmetic", REGISTERS, "carry = sum > 99;", "carry = sum > 98;"),
    Mutant(
        "meaningless digits",
        "arithmetic",
        REGISTERS,
        "from_bcd(static_cast<uint8_t>(difference))",
        "to_bcd(static_cast<uint8_t>(difference))",
    ),
    Mutant(
        "ANE",
        "arithmetic",
        REGISTERS,
        "load(a, (a | 0xee) & x & v)",
        "load(a, (a | 0xff) & x & v)",
    ),
    Mutant("LXA", "arithmetic", REGISTERS, "load(a, x = (a | 0xee) & v)", "load(a, x = a & v)"),
    Mutant(
        "SHA", "masked stores", INSTRUCTIONS, "value & (high(address) + 1)", "value & high(address)"
    ),
    Mutant(
        "ARR", "arithmetic", REGISTERS, "(rotated >> 6 ^ rotated >> 5) & 1", "(rotated >> 6) & 1"
    ),
    Mutant("second write waits", "calls", "bus.hpp", "turn != Turn::again", "true"),
    Mutant("pushes draw", "calls", "bus.hpp", "if (turn != Turn::only) {", "if (false) {"),
    Mutant("timer latch", "timers", "riot.hpp", "past <= -2", "past <= -1"),
    Mutant("timer goes on", "timers", "riot.hpp", "- offset);", ");"),
    Mutant(
        "wait for bit 7",
        "timers",
        "cpu6507/timer_wait.hpp",
        "branch == bpl ? 0 : 0x80",
        "branch == bpl ? 0 : 0x7f",
    ),
    Mutant(
        "hot fetch",
        "banks",
        "cartridge/cartridge.cpp",
        "hot_reads_.first - 2 : view_bytes - 2",
        "view_bytes - 2 : view_bytes - 2",
    ),
    Mutant(
        "RAM write port",
        "banks",
        "cartridge/cartridge.cpp",
        "has_ram() && at < superchip_bytes",
        "has_ram() && at < 64",
    ),
    Mutant("DPC random numbers", "display processor", DPC, "parity ^ 1", "parity"),
    Mutant(
        "DPC oscillator",
        "display processor",
        DPC,
        "s.fractional_clocks = clocks -",
        "s.fractional_clocks = 0 *",
    ),
    Mutant(
        "DPC across frames",
        "display processor",
        "cartridge/cartridge.hpp",
        "s.dpc.clocked -= cycles;",
        "",
    ),
    Mutant("DPC period", "display processor", DPC, "s.top[x] + 1", "s.top[x]"),
    Mutant("DPC flag", "display processor", DPC, "low <= s.bottom[x]", "low < s.bottom[x]"),
    Mutant(
        "DPC music is loaded", "display processor", DPC, "? s.top[x] : value", "? value : value"
    ),
    Mutant(
        "DPC clocks its reads",
        "display processor",
        DPC,
        "    s.counter[x] = static_cast<uint16_t>((s.counter[x] - 1) & 0x7ff);\n",
        "",
    ),
    Mutant(
        "instruction limit",
        "long frames",
        "machine.cpp",
        "(slow, UINT32_MAX, most_instructions)",
        "(slow, UINT32_MAX, most_instructions - 1)",
    ),
    Mutant(
        "an instruction of the exact interpreter counts",
        "long waits",
        "cpu6507/fast_cpu.cpp",
        "  step(bus);\n  --cpu.left;",
        "  step(bus);",
    ),
    Mutant(
        "rounds of a wait count",
        "long waits",
        "cpu6507/fast_cpu.cpp",
        "    left -= static_cast<int>(instructions);\n",
        "",
    ),
    Mutant(
        "a wait ends with the call",
        "long waits",
        "cpu6507/fast_cpu.cpp",
        "skipped == 0 || instructions >= static_cast<uint32_t>(left)",
        "skipped == 0",
    ),
    Mutant(
        "a wait for the line draws, too",
        "long frames",
        "cpu6507/fast_cpu.cpp",
        "clock_of(cycles) < state.frame_limit &&\n        !bus.canvas.eager",
        "clock_of(cycles) < state.frame_limit",
    ),
    Mutant("grey", "jammed", "machine.cpp", "(row[x] & 0x0f) >> 1", "row[x] & 0x0f"),
    Mutant(
        "leftovers",
        "seldom short",
        "machine.cpp",
        "if (origin.waits) draw_waiting(tia.buffer);",
        "",
    ),
    Mutant(
        "restored picture",
        "twins",
        "machine.cpp",
        "  origin.shown = Shown::picture;\n  origin.waits = true;",
        "  origin.shown = Shown::picture;",
    ),
    Mutant(
        "frame that went on is no picture",
        "twins",
        "machine.cpp",
        "before.tia.unfinished == 0 ? Shown::picture : Shown::pixels",
        "Shown::picture",
    ),
    Mutant(
        "black screen",
        "twins",
        "machine.cpp",
        "  origin.shown = Shown::black;\n  origin.waits = false;",
        "  origin.shown = Shown::black;",
    ),
    Mutant(
        "black pixels of a late blank",
        "cut short behind a blank",
        "machine.cpp",
        "if (blanked_late && clocks < furthest) return true;",
        "if (tia.hmove_blank != 0 && clocks < furthest) return true;",
    ),
    Mutant(
        "what draws eagerly",
        "cut short",
        "machine.cpp",
        "return clocks > tia::blank_clocks && clocks % 4 != 0;",
        "return false;",
    ),
]
