// SPDX-License-Identifier: GPL-2.0-only
// Operations that write a byte, or change one, and the stack's.

#include <array>

#include "../../tia/no_change.hpp"
#include "../../tia/registers.hpp"
#include "emitter.hpp"
#include "frame.hpp"
#include "runtime.hpp"

#if defined(PP_HOST_IS_X86_64_LINUX)

namespace pp::atari::vcs::translator::x86_64 {
namespace {

// The registers in the order of their operations.
constexpr std::array stored_registers = {
#define PP_TIA_REGISTER(name) uint8_t{tia::name},
#include "../blocks/tia_registers.inc"
#undef PP_TIA_REGISTER
    uint8_t{tia::VSYNC},
};
static_assert(nth(Operation::tia_a_VBLANK, 3 * (stored_registers.size() - 1)) ==
              Operation::vsync_a);

constexpr Reg register_of(unsigned number) {
  return number == 0 ? a : number == 1 ? x : y;
}

}  // namespace

void Emitter::store_operation(unsigned number) {
  constexpr auto targets = static_cast<unsigned>(Target::count);
  const auto target = static_cast<Target>(number % targets);
  const Reg value = register_of(number / targets);
  const auto operand = static_cast<int32_t>(op_->operand);
  const Reg index = target == Target::zero_y || target == Target::low_y ? y : x;
  Label& elsewhere = label();
  switch (target) {
    case Target::ram:
      return code_.store8(ram(operand), value);
    case Target::zero_x:
    case Target::zero_y:
      code_.lea(rsi, {index, operand});
      code_.zero_extend8(rsi, rsi);
      code_.test8(rsi, rsi);
      code_.jump(If::not_negative, elsewhere);
      code_.store8(ram_at_address(rsi), value);
      break;
    case Target::low_x:
    case Target::low_y:
      code_.lea(rsi, {index, operand});
      code_.lea(rcx, {rsi, -0x80});
      code_.alu(Alu::cmp, rcx, ram_bytes);
      code_.jump(If::not_below, elsewhere);
      code_.store8(ram_at_address(rsi), value);
      break;
    case Target::indirect_y: {
      Label& cartridge = label();
      Label& back = label();
      code_.load16(rsi, ram(operand));
      code_.alu(Alu::add, rsi, y);
      code_.zero_extend16(rsi, rsi);
      code_.test(rsi, 0x1000U);
      code_.jump(If::not_zero, cartridge);
      code_.mov(rcx, rsi);
      code_.alu(Alu::bit_and, rcx, 0x1280);
      code_.alu(Alu::cmp, rcx, 0x80);
      code_.jump(If::not_zero, elsewhere);
      code_.alu(Alu::bit_and, rsi, 0x7f);
      code_.store8({state, 0, rsi}, value);
      code_.bind(back);
      Label& hot = instead();
      later(cartridge, [this, &back, &hot] {
        if (map_.hot_writes().count != 0) jump_if_within(map_.hot_writes(), rsi, hot);
        code_.jump(back);
      });
      break;
    }
    case Target::riot:
      bus_to_first_argument();
      code_.mov(rsi, op_->operand);
      code_.mov(rdx, value);
      now_to(rcx);
      return call(runtime::write_riot);
    default:  // cartridge
      bus_to_first_argument();
      code_.mov(rsi, op_->operand);
      code_.mov(rdx, value);
      return call(runtime::write_cartridge);
  }
  // The address is in rsi.
  Label& back = label();
  code_.bind(back);
  later(elsewhere, [this, value, &back] {
    bus_to_first_argument();
    code_.mov(rdx, value);
    now_to(rcx);
    call(runtime::write);
    continue_at_answer();
    leave_if_over();
    code_.jump(back);
  });
}

// --- The TIA.

void Emitter::store_tia_operation(unsigned number) {
  const uint8_t address = stored_registers[number / 3];
  const Reg value = register_of(number % 3);
  const tia::NoChange same = tia::no_change(address);
  if (same.equal[0].field == tia::NoChange::none) {
    write_tia(address, value);
    if (address == tia::VSYNC) leave_if_over();
    return;
  }
  const auto field = [](int offset) { return Mem{state, tia_state + offset}; };
  Label& changes = label();
  for (const auto& each : same.equal) {
    if (each.field == tia::NoChange::none) continue;
    Reg compared = value;
    if (each.mask != 0xff) {
      code_.mov(rax, value);
      code_.alu(Alu::bit_and, rax, int32_t{each.mask});
      if (each.shift != 0) code_.shift(Shift::shr, rax, each.shift);
      compared = rax;
    }
    code_.alu8(Alu::cmp, compared, field(each.field));
    code_.jump(If::not_zero, changes);
  }
  for (const auto& each : same.same) {
    if (each.field == tia::NoChange::none) continue;
    code_.load8(rax, field(each.field));
    code_.alu8(Alu::cmp, rax, field(each.other));
    code_.jump(If::not_zero, changes);
  }
  for (const int each : same.zero) {
    if (each == tia::NoChange::none) continue;
    code_.alu8(Alu::cmp, field(each), 0);
    code_.jump(If::not_zero, changes);
  }
  Label& back = label();
  code_.bind(back);
  later(changes, [this, address, value, &back] {
    write_tia(address, value);
    code_.jump(back);
  });
}

void Emitter::write_tia(uint8_t address, Reg value) {
  code_.lea64(rdi, {state, tia_state});
  code_.load64(rsi, PP_IN_FRAME(tv));
  code_.load64(rdx, PP_IN_FRAME(canvas));
  code_.mov(rcx, value);
  now_to(r8);
  call(tia::writers_in_time[address]);
}

// Emits what tia::cycles_to_line_end does: the end of the instruction is rounded up to whole
// lines. The factor gives quotients that are right for any number of 32 bits (Granlund and
// Montgomery, Division by Invariant Integers using Multiplication, 1994).
void Emitter::wait_for_line() {
  constexpr int shift = 37;
  constexpr int64_t factor = (int64_t{1} << shift) / tia::line_cycles + 1;
  static_assert(factor < INT32_MAX);
  code_.lea(rcx, {cycles, op_->cycles + tia::line_cycles - 1});
  code_.alu(Alu::add, rcx, PP_IN_FRAME(line_start));
  code_.multiply64(rcx, rcx, static_cast<int32_t>(factor));
  code_.shift64(Shift::shr, rcx, shift);
  code_.multiply(cycles, rcx, tia::line_cycles);
  code_.alu(Alu::sub, cycles, PP_IN_FRAME(line_start));
  code_.alu(Alu::sub, cycles, int32_t{op_->cycles});
  leave_if_late(label());
}

// --- Changes: in the order of operations.inc, in RAM and indexed, then those of A.

void Emitter::change_operation(unsigned number) {
  constexpr unsigned changes = 6, forms = 2;
  if (number >= forms * changes) {
    change(number - forms * changes, a);
    return result(a);
  }
  const auto operand = static_cast<int32_t>(op_->operand);
  const bool indexed = number % forms == 1;
  if (indexed) {
    code_.lea(rcx, {x, operand});
    code_.zero_extend8(rcx, rcx);
    code_.test8(rcx, rcx);
    code_.jump(If::not_negative, instead());
  }
  const Mem at = indexed ? ram_at_address(rcx) : ram(operand);
  code_.load8(rax, at);
  change(number / forms, rax);
  code_.store8(at, rax);
  result(rax);
}

// ASL, ROL, LSR, ROR, INC, DEC.
void Emitter::change(unsigned number, Reg what) {
  constexpr std::array shifts = {Shift::shl, Shift::rcl, Shift::shr, Shift::rcr};
  if (number >= shifts.size()) return number == shifts.size() ? code_.inc8(what) : code_.dec8(what);
  if (number % 2 == 1) {  // the carry comes in
    code_.load8(rdx, PP_IN_CPU(carry));
    code_.neg8(rdx);
  }
  code_.shift8_once(shifts[number], what);
  code_.set(If::below, PP_IN_CPU(carry));
}

// --- The stack.

void Emitter::push_a() {
  Label& elsewhere = label();
  Label& back = label();
  code_.load8(rax, PP_IN_CPU(sp));
  code_.test8(rax, rax);
  code_.jump(If::not_negative, elsewhere);
  code_.store8(ram_at_address(rax), a);
  code_.alu8(Alu::sub, PP_IN_CPU(sp), 1);
  code_.bind(back);
  later(elsewhere, [this, &back] {
    bus_to_first_argument();
    code_.mov(rsi, a);
    now_to(rdx);
    call(runtime::push);
    continue_at_answer();
    leave_if_over();
    code_.jump(back);
  });
}

void Emitter::push_status() {
  bus_to_first_argument();
  code_.mov(rsi, shown);
  now_to(rdx);
  call(runtime::push_status);
  continue_at_answer();
  leave_if_over();
}

void Emitter::pull_a() {
  Label& elsewhere = label();
  Label& back = label();
  code_.load8(rax, PP_IN_CPU(sp));
  code_.inc8(rax);
  code_.jump(If::not_negative, elsewhere);
  code_.store8(PP_IN_CPU(sp), rax);
  code_.load8(a, ram_at_address(rax));
  code_.bind(back);
  result(a);
  later(elsewhere, [this, &back] {
    bus_to_first_argument();
    code_.mov(rsi, opcode());
    now_to(rdx);
    call(runtime::pull);
    code_.mov(a, rax);
    code_.jump(back);
  });
}

void Emitter::pull_status() {
  bus_to_first_argument();
  now_to(rsi);
  call(runtime::pull_status);
  code_.mov(shown, rax);
}

// The address of the call's last byte is what RTS finds.
void Emitter::call_subroutine() {
  code_.load8(rax, PP_IN_CPU(sp));
  code_.alu8(Alu::cmp, rax, uint8_t{0x80});
  code_.jump(If::not_above, instead());
  code_.store8(ram_at_address(rax), static_cast<uint8_t>(op_->operand >> 8));
  code_.store8(ram_at_address(rax, -1), static_cast<uint8_t>(op_->operand));
  code_.alu8(Alu::sub, PP_IN_CPU(sp), 2);
  go();
}

}  // namespace pp::atari::vcs::translator::x86_64

#endif
