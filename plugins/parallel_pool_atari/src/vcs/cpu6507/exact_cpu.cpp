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
#include "opcodes.inc"
#undef PP_OPCODE
  }
  cpu.give(bus.s.cpu);
}

}  // namespace pp::atari::vcs::cpu6507
