#include "exact_cpu.hpp"

namespace pp::atari::vcs::cpu6507 {

void step(Bus& bus) {
  steps(bus, 1);
}

void steps(Bus& bus, int most) {
  using Cpu = Instructions<ExactPort>;
  Cpu cpu(bus);
  for (; most > 0 && bus.s.cpu.jammed == 0; --most) {
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
    if (bus.s.tia.frame_done != 0) break;
  }
  cpu.give(bus.s.cpu);
}

}  // namespace pp::atari::vcs::cpu6507
