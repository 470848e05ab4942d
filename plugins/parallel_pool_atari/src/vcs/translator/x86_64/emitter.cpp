// SPDX-License-Identifier: GPL-2.0-only
#include "emitter.hpp"

#include <utility>

#include "../../cpu6507/instructions.hpp"
#include "../decoding/instruction_set.hpp"
#include "frame.hpp"
#include "runtime.hpp"

#if defined(PP_HOST_IS_X86_64_LINUX)

namespace pp::atari::vcs::translator::x86_64 {

namespace {

constexpr Reg preserved[] = {rbx, rbp, r12, r13, r14, r15};

constexpr unsigned number_of(Operation operation) {
  return static_cast<unsigned>(operation);
}
}  // namespace

Emitter::Emitter(const ProgramMap& map, CodeTable& table, const std::vector<BlockKey>& blocks)
    : map_(map), table_(table) {
  for (const BlockKey& key : blocks) entries_[key.number()];
  emit_shared();
}

// Emits the code that all blocks of a chunk share.
void Emitter::emit_shared() {
  enter_ = code_.size();
  for (const Reg each : preserved) code_.push(each);
  code_.move_stack(-static_cast<int32_t>(sizeof(Frame)));
  for (int32_t at = 0; at < static_cast<int32_t>(sizeof(Frame)); at += 8) {
    code_.load64(rax, {rdi, at});
    code_.store64({rsp, at}, rax);
  }
  code_.load64(state, PP_IN_FRAME(state));
  take();
  code_.jump(rsi);

  leave_at_ = code_.size();
  code_.bind(leave_);
  give();
  code_.bind(leave_given_);
  code_.move_stack(sizeof(Frame));
  for (size_t i = std::size(preserved); i-- > 0;) code_.pop(preserved[i]);
  code_.ret();

  code_.bind(instead_);
  give();
  bus_to_first_argument();
  call(runtime::step);
  code_.jump(leave_given_);

  // Called, with the address behind the instruction in rsi. The stack has the way back on top.
  code_.bind(interpret_);
  give();
  constexpr int32_t way_back = 8;
  code_.move_stack(-way_back);
  const auto in_frame = [](Mem at) { return Mem{at.base, at.offset + 2 * way_back}; };
  code_.load64(rdi, in_frame(PP_IN_FRAME(bus)));
  code_.load32(rdx, in_frame(PP_IN_FRAME(limit)));
  call(runtime::step_within_block);
  code_.move_stack(way_back);
  Label ends;
  code_.test8(rax, rax);
  code_.jump(If::zero, ends);
  take();
  code_.ret();
  code_.bind(ends);
  code_.move_stack(way_back);
  code_.jump(leave_given_);
}

// Writes registers to the state.
void Emitter::give() {
  code_.store8(PP_IN_CPU(a), a);
  code_.store8(PP_IN_CPU(x), x);
  code_.store8(PP_IN_CPU(y), y);
  code_.store32(PP_IN_CPU(cycles), cycles);
  code_.store8(PP_IN_CPU(nonzero), shown);
  code_.mov(rax, shown);
  code_.shift(Shift::shr, rax, 8);
  code_.alu(Alu::bit_or, rax, shown);
  code_.store8(PP_IN_CPU(negative), rax);
}
void Emitter::take() {
  code_.load8(a, PP_IN_CPU(a));
  code_.load8(x, PP_IN_CPU(x));
  code_.load8(y, PP_IN_CPU(y));
  code_.load32(cycles, PP_IN_CPU(cycles));
  code_.load8(shown, PP_IN_CPU(nonzero));
  code_.load8(rax, PP_IN_CPU(negative));
  code_.alu(Alu::bit_and, rax, 0x80);
  code_.shift(Shift::shl, rax, 8);
  code_.alu(Alu::bit_or, shown, rax);
}

void Emitter::emit(BlockKey key, const Block& block) {
  region_ = key.region;
  offsets_[key.number()] = code_.size();
  code_.bind(entries_.at(key.number()));
  for (const BlockOp& op : block) {
    op_ = &op;
    operation();
  }
  // Code that is emitted here may add more.
  for (size_t i = 0; i < later_.size(); ++i) later_[i]();
  later_.clear();
  labels_.clear();
}

void Emitter::operation() {
  using O = Operation;
  const O what = op_->operation;
  const unsigned number = number_of(what);
  if (what < O::wait_a) return read_operation(number);
  if (what >= O::store_a_ram && what < O::tia_a_VBLANK) {
    return store_operation(number - number_of(O::store_a_ram));
  }
  if (what >= O::tia_a_VBLANK && what <= O::vsync_y) {
    return store_tia_operation(number - number_of(O::tia_a_VBLANK));
  }
  if (what >= O::shift_left_ram && what <= O::rotate_right_a) {
    return change_operation(number - number_of(O::shift_left_ram));
  }
  const auto count = [this](Reg reg, bool up) {
    up ? code_.inc8(reg) : code_.dec8(reg);
    result(reg);
  };
  const auto transfer = [this](Reg to, Reg from) {
    code_.mov(to, from);
    result(to);
  };
  switch (what) {
    case O::wait_a:
      return wait_for_timer(a);
    case O::wait_x:
      return wait_for_timer(x);
    case O::wait_y:
      return wait_for_timer(y);
    case O::wait_for_line:
      return wait_for_line();
    case O::increment_x:
      return count(x, true);
    case O::increment_y:
      return count(y, true);
    case O::decrement_x:
      return count(x, false);
    case O::decrement_y:
      return count(y, false);
    case O::a_to_x:
      return transfer(x, a);
    case O::a_to_y:
      return transfer(y, a);
    case O::x_to_a:
      return transfer(a, x);
    case O::y_to_a:
      return transfer(a, y);
    case O::sp_to_x:
      code_.load8(x, PP_IN_CPU(sp));
      return result(x);
    case O::x_to_sp:
      return code_.store8(PP_IN_CPU(sp), x);
    case O::clear_carry:
      return code_.store8(PP_IN_CPU(carry), uint8_t{0});
    case O::set_carry:
      return code_.store8(PP_IN_CPU(carry), uint8_t{1});
    case O::clear_interrupt:
      return code_.store8(PP_IN_CPU(interrupt), uint8_t{0});
    case O::set_interrupt:
      return code_.store8(PP_IN_CPU(interrupt), uint8_t{1});
    case O::clear_overflow:
      return code_.store8(PP_IN_CPU(overflow), uint8_t{0});
    case O::clear_decimal:
      return code_.store8(PP_IN_CPU(decimal), uint8_t{0});
    case O::set_decimal:
      return code_.store8(PP_IN_CPU(decimal), uint8_t{1});
    case O::push_a:
      return push_a();
    case O::push_status:
      return push_status();
    case O::pull_a:
      return pull_a();
    case O::pull_status:
      return pull_status();
    case O::jump:
      return go();
    case O::call:
      return call_subroutine();
    case O::return_from_call:
      return return_from_call();
    case O::jump_indirect:
      code_.load16(rcx, ram(static_cast<int32_t>(op_->operand)));
      code_.test(rcx, 0x1000U);
      code_.jump(If::zero, instead());
      return go_to_address();
    case O::leave:
      add_cycles(op_->cycles);
      store_pc(op_->pc);
      return code_.jump(leave_);
    case O::interpret:
      return interpret();
    case O::interpret_and_leave:
      return code_.jump(instead());
    default:
      return branch_operation(what);
  }
}

void Emitter::add_cycles(int count) {
  if (count != 0) code_.alu(Alu::add, cycles, count);
}
void Emitter::store_pc(uint16_t pc) {
  code_.store16(PP_IN_CPU(pc), pc);
}
void Emitter::bus_to_first_argument() {
  code_.load64(rdi, PP_IN_FRAME(bus));
}
void Emitter::now_to(Reg to) {
  code_.lea(to, {cycles, op_->cycles});
}
void Emitter::continue_at_answer() {
  code_.lea(cycles, {rax, -int32_t{op_->cycles}});
}
void Emitter::later(Label& from, std::function<void()> code) {
  later_.push_back([this, &from, op = op_, code = std::move(code)] {
    op_ = op;
    code_.bind(from);
    code();
  });
}

// Takes an address of the cartridge in `address`. Destroys rdx.
void Emitter::jump_if_within(HotRange range, Reg address, Label& to) {
  code_.lea(rdx, {address, -int32_t{range.first}});
  code_.alu(Alu::bit_and, rdx, 0xfff);
  code_.alu(Alu::cmp, rdx, int32_t{range.count});
  code_.jump(If::below, to);
}

void Emitter::interpret() {
  add_cycles(op_->cycles);
  store_pc(op_->pc);
  code_.mov(rsi, static_cast<uint16_t>(op_->pc + op_->operand));
  code_.call(interpret_);
}

uint8_t Emitter::opcode() const {
  return map_.byte(region_, op_->pc);
}

Label& Emitter::instead() {
  Label& from = label();
  later(from, [this] {
    // The interpreter counts the cycles of the instruction itself.
    add_cycles(op_->cycles - cpu6507::opcode_cycles[opcode()]);
    store_pc(op_->pc);
    code_.jump(instead_);
  });
  return from;
}

void Emitter::leave_if_over() {
  Label& over = label();
  code_.alu8(Alu::cmp, PP_IN_TIA(frame_done), 0);
  code_.jump(If::not_zero, over);
  leave_if_late(over);
}
// `over` is where the block ends behind this instruction; bound here.
void Emitter::leave_if_late(Label& over) {
  code_.alu(Alu::cmp, cycles, PP_IN_FRAME(limit));
  code_.jump(If::above, over);
  later(over, [this] {
    add_cycles(op_->cycles);
    store_pc(static_cast<uint16_t>(op_->pc + instruction_set[opcode()].length));
    code_.jump(leave_);
  });
}

}  // namespace pp::atari::vcs::translator::x86_64

#endif
