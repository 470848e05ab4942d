#include "exact_cpu.hpp"

namespace pp::atari::vcs::cpu6507 {

void step(Bus& bus) {
  using Cpu = Instructions<ExactPort>;
  Cpu cpu(bus);
  const std::uint8_t opcode = cpu.fetch();
  cpu.cycles += kCycles[opcode];
  switch (opcode) {
#define PP_OPCODE(code, statement) \
  case code:                       \
    statement;                     \
    break;
#include "opcodes.inc"
#undef PP_OPCODE
    default:
      bus.s.cpu.jammed = 1;
      break;
  }
  cpu.give(bus.s.cpu);
}

}  // namespace pp::atari::vcs::cpu6507
