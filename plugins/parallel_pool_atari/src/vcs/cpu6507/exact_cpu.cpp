// SPDX-License-Identifier: GPL-2.0-only
#include "exact_cpu.hpp"

namespace pp::atari::vcs::cpu6507 {

namespace {

using Cpu = Instructions<ExactPort>;

PP_INLINE void execute(Cpu& cpu) {
  const uint8_t opcode = cpu.fetch();
  cpu.cycles += opcode_cycles[opcode];
  switch (opcode) {
#define PP_OPCODE(code, statement) \
  case code:                       \
    statement;                     \
    break;
#include "opcodes.inc"
#undef PP_OPCODE
  }
}

}  // namespace

void step(Bus& bus) {
  Cpu cpu(bus);
  execute(cpu);
  cpu.give(bus.s.cpu);
}

void steps_elsewhere(Bus& bus, uint32_t limit) {
  Cpu cpu(bus);
  do {
    execute(cpu);
  } while (!Bus::is_cartridge(cpu.pc()) && bus.s.tia.frame_done == 0 && bus.s.cpu.jammed == 0 &&
           cpu.cycles <= limit);
  cpu.give(bus.s.cpu);
}

}  // namespace pp::atari::vcs::cpu6507
