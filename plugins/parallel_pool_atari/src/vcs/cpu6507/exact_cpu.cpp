// SPDX-License-Identifier: GPL-2.0-only
#include "exact_cpu.hpp"

namespace pp::atari::vcs::cpu6507 {

void step(Bus& bus) {
  using Cpu = Instructions<ExactPort>;
  Cpu cpu(bus);
  const uint8_t opcode = cpu.fetch();
  cpu.cycles += opcode_cycles[opcode];
  switch (opcode) {
#define PP_OPCODE(code, statement) \
  case code:                       \
    statement;                     \
    break;
#define PP_UNDOCUMENTED PP_OPCODE
#include "opcodes.inc"
#undef PP_UNDOCUMENTED
#undef PP_OPCODE
  }
  cpu.give(bus.s.cpu);
}

void steps_elsewhere(Bus& bus, uint32_t limit) {
  const MachineState& s = bus.s;
  do {
    step(bus);
  } while (!Bus::is_cartridge(s.cpu.pc) && s.tia.frame_done == 0 && s.cpu.jammed == 0 &&
           s.cpu.cycles <= limit);
}

}  // namespace pp::atari::vcs::cpu6507
