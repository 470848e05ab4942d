// SPDX-License-Identifier: GPL-2.0-only
#include "run_blocks.hpp"

#include "../../cpu6507/exact_cpu.hpp"
#include "../../cpu6507/instructions.hpp"
#include "../decoding/instruction_set.hpp"
#include "block_cpu.hpp"

namespace pp::atari::vcs::translator {
namespace {

uint8_t opcode_at(const Bus& bus, uint16_t pc) {
  return bus.cartridge.view(bus.s.cartridge, pc)[pc & 0xfffU];
}

// Executes blocks from `op` on until something else is due, at the CPU's program counter. Without
// an operation: where the handlers are.
const void* const* run(Bus* machine, Program* program, const Op* op, uint32_t limit) {
  // Labels as values are a GNU extension that Clang has too.
  static const void* const labels[] = {
#define PP_OPERATION(name, ...) &&do_##name,
#include "../blocks/operations.inc"
#undef PP_OPERATION
  };
  if (op == nullptr) return labels;
  Bus& bus = *machine;
  MachineState& s = bus.s;
  BlockCpu cpu(bus, program->map());
  cpu.take(s.cpu);
  cpu.cycles = s.cpu.cycles;
  cpu.view = program->map().view(bus.cartridge, s.cartridge, s.cpu.pc);
  uint16_t pc = 0;

#define PP_NEXT goto * op->handler
#define PP_INSTEAD goto instead
#define PP_IF_OVER_LEAVE \
  if (__builtin_expect((s.tia.frame_done != 0) | (cpu.cycles > limit), 0)) goto leave_behind
#define PP_GO                                                                      \
  {                                                                                \
    cpu.cycles += op->cycles;                                                      \
    const Op* to = op[1].link.load(std::memory_order_acquire);                     \
    if (__builtin_expect(to == nullptr || cpu.cycles > limit, 0)) goto first_time; \
    op = to;                                                                       \
    PP_NEXT;                                                                       \
  }
#define PP_SKIP_LINK ++op
#define PP_TO(address)                                                        \
  {                                                                           \
    pc = address;                                                             \
    cpu.cycles += op->cycles;                                                 \
    const Op* to = program->find(program->map().region(s.cartridge, pc), pc); \
    if (__builtin_expect(to == nullptr || cpu.cycles > limit, 0)) goto leave; \
    op = to;                                                                  \
    PP_NEXT;                                                                  \
  }
#define PP_LEAVE(address)     \
  {                           \
    pc = address;             \
    cpu.cycles += op->cycles; \
    goto leave;               \
  }
#define PP_INTERPRET goto interpret

  PP_NEXT;
  // clang-format off: it takes the label for something else.
#define PP_OPERATION(name, ...) \
  do_##name : {                 \
    __VA_ARGS__;                \
  }                             \
  ++op;                         \
  PP_NEXT;
  // clang-format on
#include "../blocks/operations.inc"
#undef PP_OPERATION

  // A link that is followed for the first time, or near the end of the frame.
first_time:
  {
    const Op& link = op[1];
    pc = link.pc;
    op = program->follow(link);
    if (op == nullptr || cpu.cycles > limit) goto leave;
    PP_NEXT;
  }
interpret:
  {
    const auto behind = static_cast<uint16_t>(op->pc + op->operand);
    cpu.give(s.cpu);
    s.cpu.pc = op->pc;
    s.cpu.cycles = cpu.cycles + op->cycles;
    cpu6507::step(bus);
    cpu.take(s.cpu);
    cpu.cycles = s.cpu.cycles;
    const bool goes_on = s.tia.frame_done == 0 && s.cpu.jammed == 0 && s.cpu.pc == behind;
    if (!goes_on || cpu.cycles > limit) return nullptr;
    ++op;
    PP_NEXT;
  }
instead:
  {
    // The interpreter counts the cycles of the instruction itself.
    cpu.give(s.cpu);
    s.cpu.pc = op->pc;
    s.cpu.cycles = cpu.cycles + op->cycles - cpu6507::opcode_cycles[opcode_at(bus, op->pc)];
    cpu6507::step(bus);
    return nullptr;
  }
leave_behind:
  pc = static_cast<uint16_t>(op->pc + instruction_set[opcode_at(bus, op->pc)].length);
  cpu.cycles += op->cycles;
leave:
  cpu.give(s.cpu);
  s.cpu.pc = pc;
  s.cpu.cycles = cpu.cycles;
  return nullptr;
}

}  // namespace

const void* const* block_handlers() {
  return run(nullptr, nullptr, nullptr, 0);
}

void run_blocks(Bus& bus, Program& program, const Op* first, uint32_t limit) {
  run(&bus, &program, first, limit);
}

}  // namespace pp::atari::vcs::translator
