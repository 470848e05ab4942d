"""Mistakes in blocks and in the code that is made of them."""

from __future__ import annotations

from mutant import EMIT_WRITES, Mutant

EMITTER = "translator/x86_64/emitter.cpp"
EMIT_JUMPS, EMIT_READS = (f"translator/x86_64/emit_{kind}.cpp" for kind in ("jumps", "reads"))

TRANSLATOR_MUTANTS = [
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
