"""Deliberate mistakes in the machine, one per quirk, and the programs (programs.py) that tell."""

from __future__ import annotations

from dataclasses import dataclass

BLOCKS = "translator/portable/run_blocks.cpp"
CPU = ("cpu6507/exact_cpu.cpp", "cpu6507/fast_cpu.cpp", BLOCKS)
EMITTER = "translator/x86_64/emitter.cpp"
EMIT_JUMPS, EMIT_READS, EMIT_WRITES = (
    f"translator/x86_64/emit_{kind}.cpp" for kind in ("jumps", "reads", "writes")
)


@dataclass(frozen=True)
class Mutant:
    """`before` stands once in src/vcs/`file`. The programs named `told_by` have to tell."""

    name: str
    told_by: str
    file: str
    before: str
    after: str

    @property
    def units(self) -> tuple[str, ...]:
        """The sources that the mistake is compiled into."""
        return {
            "cpu6507/instructions.hpp": CPU,
            "bus.hpp": CPU,
            "riot.hpp": CPU,
            "cpu6507/timer_wait.hpp": CPU,
            "tia/no_change.hpp": (BLOCKS, EMIT_WRITES),
            "translator/portable/block_cpu.hpp": (BLOCKS,),
            "translator/blocks/operations.inc": (BLOCKS,),
            "cpu6507/cpu_registers.hpp": CPU,
            "tia/motion.hpp": ("tia/write.cpp",),
            "tia/objects.hpp": ("tia/write.cpp", "tia/beam.cpp"),
            "tia/line.hpp": ("tia/write.cpp", "tia/beam.cpp", "machine.cpp"),
            "tia/register_write.hpp": ("tia/write.cpp",),
            "cartridge/dpc.hpp": ("cartridge/cartridge.cpp",),
            "cartridge/cartridge.hpp": ("machine.cpp",),
        }.get(self.file, (self.file,))


WRITE, BEAM, OBJECTS = "tia/register_write.hpp", "tia/beam.cpp", "tia/objects.cpp"
SEGMENT = "tia/segment.cpp"
INSTRUCTIONS, REGISTERS = "cpu6507/instructions.hpp", "cpu6507/cpu_registers.hpp"
MOTION = "tia/motion.hpp"
DPC = "cartridge/dpc.hpp"

MUTANTS = [
    Mutant(
        "player reset five after",
        "scattered",
        WRITE,
        "reset_position(3, 5)",
        "reset_position(3, 4)",
    ),
    Mutant(
        "player reset in blank", "scattered", WRITE, "reset_position(3, 5)", "reset_position(2, 5)"
    ),
    Mutant("copy goes on", "scattered", WRITE, "copy_goes_on = 11", "copy_goes_on = 12"),
    Mutant(
        "playfield that waits",
        "playfield without symmetry",
        WRITE,
        "&& !awaits_drawing(part, after(clock, delay))",
        "",
    ),
    Mutant(
        "playfield's right part",
        "playfield without symmetry",
        WRITE,
        "{{0, 80, 16}",
        "{{0, 96, 16}",
    ),
    Mutant(
        "playfield's reflected part",
        "playfield without symmetry",
        WRITE,
        "{{0, 144, 16}",
        "{{0, 80, 16}",
    ),
    Mutant(
        "next line's playfield",
        "playfield without symmetry",
        WRITE,
        "end - line_clocks > now.left",
        "false",
    ),
    Mutant("size delay", "scattered", WRITE, "size_delay = 8", "size_delay = 7"),
    Mutant("graphics delay", "scattered", WRITE, "delayed = 1;", "delayed = 0;"),
    *[
        Mutant(f"playfield phase {i}", "scattered", WRITE, "{4, 5, 2, 3}", after)
        for i, after in enumerate(["{3, 5, 2, 3}", "{4, 4, 2, 3}", "{4, 5, 3, 3}", "{4, 5, 2, 4}"])
    ],
    Mutant("reflection latch", "playfield alone", WRITE, "blank_clocks + 79", "blank_clocks + 76"),
    Mutant(
        "vsync length",
        "vsyncs",
        WRITE,
        "after(clock, line_clocks)",
        "after(clock, line_clocks + 3)",
    ),
    Mutant("Dolphin", "after hmove", WRITE, "since_hmove == 20 * 3", "since_hmove == 20"),
    Mutant(
        "Pitfall II",
        "after hmove",
        WRITE,
        "p == 1 && since_hmove == 3 * 3",
        "p == 1 && since_hmove == 3",
    ),
    Mutant("Mindmaster", "after hmove", WRITE, "since_hmove == 18 * 3", "since_hmove == 18"),
    Mutant(
        "Decathlon",
        "after hmove",
        WRITE,
        "    if (since_hmove == 3 * 3 &&",
        "    if (since_hmove == 3 &&",
    ),
    Mutant("Robot Tank", "after hmove", WRITE, "since_hmove == 7 * 3", "since_hmove == 7"),
    Mutant("Hole Hunter", "after hmove", WRITE, "since_hmove == 6 * 3", "since_hmove == 6"),
    Mutant("missile in the middle", "scattered", WRITE, "mode == 7 ? 16 : 4", "mode == 7 ? 16 : 5"),
    Mutant("Cosmic Ark begins", "after hmove", WRITE, "== 21 * 3 && s.hm", "== 22 * 3 && s.hm"),
    Mutant("Cosmic Ark steps", "after hmove", BEAM, "{18, 33, 0, 17}", "{18, 33, 0, 16}"),
    Mutant(
        "Cosmic Ark hides", "after hmove", BEAM, "? MissileShape::hidden", "? MissileShape::plain"
    ),
    Mutant("hmove early", "moves", MOTION, "(70 - 3 * cycle)", "(71 - 3 * cycle)"),
    Mutant("hmove late", "moves", MOTION, "(222 - 3 * cycle)", "(220 - 3 * cycle)"),
    Mutant("hmove blank", "moves", MOTION, "last_blank_cycle = 20", "last_blank_cycle = 21"),
    Mutant(
        "line ends late",
        "long frames",
        BEAM,
        "clock > s.drawn_until + s.line_left",
        "clock >= s.drawn_until + s.line_left",
    ),
    Mutant(
        "first copy comes back", "scattered", "tia/objects.hpp", "    s.first_hidden[p] = 0;\n", ""
    ),
    Mutant(
        "score shortcut",
        "playfield alone",
        SEGMENT,
        "score && enabled == bit(Object::playfield)",
        "score && false",
    ),
    Mutant(
        "score over player 1",
        "playfield alone",
        SEGMENT,
        "const bool score = (s.ctrlpf & score_bit) != 0;\n  const LineMask",
        "const bool score = false;\n  const LineMask",
    ),
    Mutant(
        "latch order",
        "scattered",
        SEGMENT,
        "    {Object::missile0, Object::player1},\n    {Object::missile0, Object::player0},",
        "    {Object::missile0, Object::player0},\n    {Object::missile0, Object::player1},",
    ),
    Mutant(
        "overshoot", "cut short", SEGMENT, "if (canvas.eager) overshoot", "if (false) overshoot"
    ),
    Mutant(
        "wide players start late",
        "scattered",
        OBJECTS,
        "uint64_t{twice[graphics]} << 1",
        "uint64_t{twice[graphics]}",
    ),
    Mutant("start clocks", "scattered", OBJECTS, "start_clocks = 4", "start_clocks = 5"),
    Mutant(
        "forced end",
        "long frames",
        BEAM,
        "s.frame_limit = s.frame_start + line_clocks * (tv.most_lines + 1)",
        "s.frame_limit = s.frame_start + line_clocks * tv.most_lines",
    ),
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
    Mutant(
        "a playfield behind what is drawn",
        "drawn ahead",
        WRITE,
        "std::max(between(s.drawn_until, until), 0)",
        "between(s.drawn_until, until)",
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
        "cut short in a blank",
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
    Mutant(
        "what an object left on its line",
        "scattered",
        BEAM,
        "    note(line, object, stale ? mask_of(s, object) : s.masks[object], from, to);\n",
        "",
    ),
    Mutant("a line begins anew", "scattered", "tia/line.hpp", "    noted = 0;\n", ""),
    Mutant(
        "score colours of a playfield that is alone for a while",
        "repeated",
        BEAM,
        "if ((s.ctrlpf & both) == both) return draw_until(s, canvas, to);",
        "",
    ),
    Mutant(
        "colours change along a line",
        "scattered",
        WRITE,
        "canvas.draw) draw_all()",
        "false) draw()",
    ),
    Mutant(
        "a ball that waits for GRP1",
        "repeated",
        "tia/no_change.hpp",
        "      that.same[1] = {PP_FIELD(old_enabl), PP_FIELD(enabl)};\n",
        "",
    ),
    Mutant(
        "NUSIZ shows a first copy",
        "repeated",
        "tia/no_change.hpp",
        "      that.zero[0] = PP_FIELD(first_hidden) + address - NUSIZ0;\n",
        "",
    ),
    Mutant(
        "a pointer's page",
        "opcodes",
        "translator/portable/block_cpu.hpp",
        "    cycles += ((base ^ address) & 0xff00U) != 0;\n",
        "",
    ),
    Mutant(
        "a stack in the TIA",
        "opcodes",
        "translator/portable/block_cpu.hpp",
        "return store_slowly(op, at, value);",
        "return false;",
    ),
    Mutant(
        "slices under a program",
        "banks",
        "translator/blocks/program_map.cpp",
        "  return std::nullopt;\n}\n\nbool",
        "  return region;\n}\n\nbool",
    ),
    Mutant(
        "RAM of a cartridge",
        "banks",
        "translator/blocks/program_map.cpp",
        "if (has_ram_ && (address & 0xfffU) < ram_ports) return std::nullopt;",
        "",
    ),
    Mutant(
        "a page crossed by a branch",
        "opcodes",
        "translator/blocks/block_builder.cpp",
        "crosses ? 2 : 1",
        "1",
    ),
    Mutant(
        "an index that carries, in machine code",
        "opcodes",
        EMIT_READS,
        "  code_.alu(Alu::adc, cycles, 0);\n",
        "",
    ),
    Mutant(
        "a pointer's page in machine code",
        "opcodes",
        EMIT_READS,
        "  code_.alu(Alu::sbb, cycles, -1);\n",
        "",
    ),
    Mutant(
        "an indexed pointer at the end of RAM",
        "opcodes",
        "translator/portable/block_cpu.hpp",
        "ram_offset(op, x) < ram_bytes - 1;",
        "ram_offset(op, x) < ram_bytes;",
    ),
    Mutant(
        "an indexed pointer in machine code",
        "opcodes",
        EMIT_READS,
        "code_.alu(Alu::cmp, rcx, ram_bytes - 1);",
        "code_.alu(Alu::cmp, rcx, ram_bytes);",
    ),
    Mutant(
        "the borrow in machine code",
        "arithmetic",
        EMIT_READS,
        "code_.set(subtracts ? If::not_below : If::below,",
        "code_.set(If::below,",
    ),
    Mutant(
        "decimal mode in machine code",
        "arithmetic",
        EMIT_READS,
        "  code_.jump(If::not_zero, decimal);\n",
        "",
    ),
    Mutant(
        "V of BIT in machine code",
        "opcodes",
        EMIT_READS,
        "code_.shift(Shift::shr, rax, 6);",
        "code_.shift(Shift::shr, rax, 5);",
    ),
    Mutant(
        "a carry that comes in, in machine code",
        "opcodes",
        EMIT_WRITES,
        "    code_.neg8(rdx);\n",
        "",
    ),
    Mutant(
        "where a call returns to, in machine code",
        "opcodes",
        EMIT_WRITES,
        "ram_at_address(rax, -1)",
        "ram_at_address(rax)",
    ),
    Mutant(
        "the end of a line in machine code",
        "registers",
        EMIT_WRITES,
        "op_->cycles + tia::line_cycles - 1",
        "op_->cycles + tia::line_cycles",
    ),
    Mutant(
        "a stack pointer in machine code",
        "opcodes",
        EMIT_WRITES,
        "  code_.store8(PP_IN_CPU(sp), rax);\n",
        "",
    ),
    Mutant(
        "the bank of an address in machine code",
        "banks",
        EMIT_JUMPS,
        "code_.load8(rax, PP_IN_CARTRIDGE(bank));",
        "code_.mov(rax, uint32_t{0});",
    ),
    Mutant(
        "registers behind the interpreter in machine code",
        "opcodes",
        EMITTER,
        "  take();\n  code_.ret();\n",
        "  code_.ret();\n",
    ),
    Mutant(
        "what a frame's end leaves, in machine code",
        "vsyncs",
        EMITTER,
        "  code_.jump(If::not_zero, over);\n  leave_if_late(over);",
        "  leave_if_late(over);",
    ),
]
