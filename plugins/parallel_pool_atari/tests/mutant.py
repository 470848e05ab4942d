"""A deliberate mistake in the machine, and the sources it is compiled into."""

from __future__ import annotations

from dataclasses import dataclass

BLOCKS = "translator/portable/run_blocks.cpp"
CPU = ("cpu6507/exact_cpu.cpp", "cpu6507/fast_cpu.cpp", BLOCKS)
EMIT_WRITES = "translator/x86_64/emit_writes.cpp"


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
