// SPDX-License-Identifier: GPL-2.0-only
// Operations that end a block, or may: where they lead.

#include "emitter.hpp"
#include "frame.hpp"

#if defined(PP_HOST_IS_X86_64_LINUX)

namespace pp::atari::vcs::translator::x86_64 {
namespace {

constexpr If opposite(If condition) {
  return static_cast<If>(static_cast<unsigned>(condition) ^ 1U);
}

// For machine code, where the region of an address is not simply the bank.
const void* find_code(const CodeTable* table, const ProgramMap* map, const Bus* bus, uint32_t pc) {
  const auto address = static_cast<uint16_t>(pc);
  return table->find_or_leave(map->region(bus->s.cartridge, address), address);
}

}  // namespace

void Emitter::branch_operation(Operation what) {
  using O = Operation;
  const auto flag = [this](Mem at, If taken) {
    code_.alu8(Alu::cmp, at, 0);
    branch(taken);
  };
  switch (what) {
    case O::branch_plus:
    case O::branch_minus:
      code_.test(shown, 0x8080U);
      return branch(what == O::branch_plus ? If::zero : If::not_zero);
    case O::branch_not_equal:
    case O::branch_equal:
      code_.test8(shown, shown);
      return branch(what == O::branch_equal ? If::zero : If::not_zero);
    case O::branch_no_overflow:
      return flag(PP_IN_CPU(overflow), If::zero);
    case O::branch_overflow:
      return flag(PP_IN_CPU(overflow), If::not_zero);
    case O::branch_no_carry:
      return flag(PP_IN_CPU(carry), If::zero);
    default:
      return flag(PP_IN_CPU(carry), If::not_zero);
  }
}

// Jumps to the linked block.
void Emitter::go() {
  add_cycles(op_->cycles);
  code_.alu(Alu::cmp, cycles, PP_IN_FRAME(limit));
  Label& over = label();
  code_.jump(If::above, over);
  later(over, [this] {
    store_pc(op_->target);
    code_.jump(leave_);
  });
  const BlockKey to{map_.region_from(region_, op_->pc, op_->target).value(), op_->target};
  const auto here = entries_.find(to.number());
  if (here != entries_.end()) return code_.jump(here->second);
  if (const void* code = table_.find(to.region, to.pc)) {
    code_.mov64(rax, reinterpret_cast<uint64_t>(code));
    return code_.jump(rax);
  }
  store_pc(to.pc);
  code_.mov64(rax, reinterpret_cast<uint64_t>(&table_.entry(to)));
  code_.jump(Mem{rax});
}

// Jumps to the address in rcx.
void Emitter::go_to_address() {
  add_cycles(op_->cycles);
  code_.store16(PP_IN_CPU(pc), rcx);
  code_.alu(Alu::cmp, cycles, PP_IN_FRAME(limit));
  code_.jump(If::above, leave_);
  if (!map_.regions_are_banks()) {
    code_.mov64(rdi, reinterpret_cast<uint64_t>(&table_));
    code_.mov64(rsi, reinterpret_cast<uint64_t>(&map_));
    code_.load64(rdx, PP_IN_FRAME(bus));
    call(find_code);
    return code_.jump(rax);
  }
  // CodeTable searches in the same way.
  code_.load8(rax, PP_IN_CARTRIDGE(bank));
  code_.shift(Shift::shl, rax, 6);
  code_.mov(rdx, rcx);
  code_.shift(Shift::shr, rdx, 10);
  code_.alu(Alu::bit_and, rdx, 0x38);
  code_.alu(Alu::add, rax, rdx);
  code_.mov64(rdx, reinterpret_cast<uint64_t>(table_.pages()));
  code_.load64(rdx, {rdx, 0, rax});
  code_.alu(Alu::bit_and, rcx, 0xfff);
  code_.shift(Shift::shl, rcx, 3);
  code_.jump(Mem{rdx, 0, rcx});
}

void Emitter::branch(If taken) {
  Label& on = label();
  code_.jump(opposite(taken), on);
  go();
  code_.bind(on);
}

// Emits what BlockCpu::can_return and pull_address do.
void Emitter::return_from_call() {
  Label& cannot = instead();
  code_.load8(rax, PP_IN_CPU(sp));
  code_.lea(rdx, {rax, -0x80});
  code_.alu(Alu::cmp, rdx, 0xfd - 0x80);
  code_.jump(If::above, cannot);
  code_.load16(rcx, ram_at_address(rax, 1));
  if (map_.hot_reads().count != 0) {
    Label& cool = label();
    code_.test(rcx, 0x1000U);
    code_.jump(If::zero, cool);
    jump_if_within(map_.hot_reads(), rcx, cannot);
    code_.bind(cool);
  }
  code_.alu(Alu::add, rcx, 1);
  code_.zero_extend16(rcx, rcx);
  code_.test(rcx, 0x1000U);
  code_.jump(If::zero, cannot);
  code_.alu8(Alu::add, PP_IN_CPU(sp), 2);
  go_to_address();
}

}  // namespace pp::atari::vcs::translator::x86_64

#endif
