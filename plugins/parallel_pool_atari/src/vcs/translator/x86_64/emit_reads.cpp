// SPDX-License-Identifier: GPL-2.0-only
// Operations that read a byte.

#include "emitter.hpp"
#include "frame.hpp"
#include "runtime.hpp"

#if defined(PP_HOST_IS_X86_64_LINUX)

namespace pp::atari::vcs::translator::x86_64 {

// The enumerators are in the order of operations.inc.
void Emitter::read_operation(unsigned number) {
  enum What {
    load_a,
    load_x,
    load_y,
    and_a,
    or_a,
    xor_a,
    add,
    subtract,
    compare_a,
    compare_x,
    compare_y,
  };
  constexpr auto places = static_cast<unsigned>(Place::count);
  const auto place = static_cast<Place>(number % places);
  const unsigned what = number / places;
  if (what <= load_y) {
    const Reg to = what == load_a ? a : what == load_x ? x : y;
    read(place, to);
    return result(to);
  }
  read(place, rax);
  switch (what) {
    case and_a:
      return logic(Alu::bit_and);
    case or_a:
      return logic(Alu::bit_or);
    case xor_a:
      return logic(Alu::bit_xor);
    case add:
      return add_or_subtract(Alu::adc);
    case subtract:
      return add_or_subtract(Alu::sbb);
    case compare_a:
      return compare(a);
    case compare_x:
      return compare(x);
    case compare_y:
      return compare(y);
    default:
      return test_bits();
  }
}

// The byte to `to`, with zeros above it. Destroys whatever calls do not preserve.
void Emitter::read(Place place, Reg to) {
  const auto operand = static_cast<int32_t>(op_->operand);
  const bool by_y = place == Place::zero_y || place == Place::low_y || place == Place::view_y ||
                    place == Place::edge_y;
  const Reg index = by_y ? y : x;
  Label& back = label();
  // The answer of the machine.
  const auto answered = [this, to, &back](bool aside) {
    if (to != rax) code_.mov(to, rax);
    if (aside) code_.jump(back);
  };
  switch (place) {
    case Place::constant:
      return code_.mov(to, op_->operand);
    case Place::ram:
      return code_.load8(to, ram(operand));
    case Place::zero_x:
    case Place::zero_y: {
      Label& elsewhere = label();
      code_.lea(rsi, {index, operand});
      code_.zero_extend8(rsi, rsi);
      code_.test8(rsi, rsi);
      code_.jump(If::not_negative, elsewhere);
      code_.load8(to, ram_at_address(rsi));
      code_.bind(back);
      return later(elsewhere, [this, answered] {
        bus_to_first_argument();
        code_.mov(rdx, op_->operand);
        now_to(rcx);
        call(runtime::read_port);
        answered(true);
      });
    }
    case Place::low_x:
    case Place::low_y: {
      Label& elsewhere = label();
      add_cycle_if_carry(index);
      code_.lea(rsi, {index, operand});
      code_.lea(rcx, {rsi, -0x80});
      code_.alu(Alu::cmp, rcx, ram_bytes);
      code_.jump(If::not_below, elsewhere);
      code_.load8(to, ram_at_address(rsi));
      code_.bind(back);
      return later(elsewhere, [this, answered] {
        bus_to_first_argument();
        code_.mov(rdx, op_->operand >> 8);
        now_to(rcx);
        call(runtime::read);
        answered(true);
      });
    }
    case Place::view:
      code_.load64(rax, PP_IN_FRAME(view));
      return code_.load8(to, {rax, operand});
    case Place::edge_x:
    case Place::edge_y: {
      // BlockCpu::within_view has the same check.
      Label& beyond = instead();
      code_.lea(rcx, {index, operand & 0xfff});
      code_.alu(Alu::cmp, rcx, static_cast<int32_t>(Cartridge::view_bytes));
      code_.jump(If::not_below, beyond);
      jump_if_within(map_.hot_reads(), rcx, beyond);
      [[fallthrough]];
    }
    case Place::view_x:
    case Place::view_y:
      add_cycle_if_carry(index);
      code_.load64(rax, PP_IN_FRAME(view));
      return code_.load8(to, {rax, operand, index});
    case Place::indirect_x:
      return read_indirect_x(to);
    case Place::indirect_y:
      return read_indirect_y(to);
    case Place::port:
      bus_to_first_argument();
      code_.mov(rsi, op_->operand & 0xffffU);
      code_.mov(rdx, op_->operand >> 16);
      now_to(rcx);
      call(runtime::read_port);
      return answered(false);
    case Place::timer:
      bus_to_first_argument();
      now_to(rsi);
      call(runtime::read_timer);
      return answered(false);
    default:  // cartridge
      bus_to_first_argument();
      code_.mov(rsi, op_->operand);
      now_to(rdx);
      call(runtime::read_cartridge);
      return answered(false);
  }
}

// Emits what BlockCpu::has_pointer and the code behind it do.
void Emitter::read_indirect_x(Reg to) {
  Label& cannot = instead();
  Label& back = label();
  Label& elsewhere = label();
  code_.lea(rcx, {x, static_cast<int32_t>(op_->operand) - 0x80});
  code_.zero_extend8(rcx, rcx);
  code_.alu(Alu::cmp, rcx, ram_bytes - 1);
  code_.jump(If::not_below, cannot);
  code_.load16(rsi, {state, 0, rcx});
  code_.test(rsi, 0x1000U);
  code_.jump(If::zero, elsewhere);
  if (map_.hot_reads().count != 0) jump_if_within(map_.hot_reads(), rsi, cannot);
  load_from_view(to, elsewhere);
  code_.bind(back);
  later(elsewhere, [this, &back, to] {
    bus_to_first_argument();
    code_.mov(rdx, rsi);
    code_.shift(Shift::shr, rdx, 8);
    now_to(rcx);
    call(runtime::read);
    if (to != rax) code_.mov(to, rax);
    code_.jump(back);
  });
}

void Emitter::read_indirect_y(Reg to) {
  const Mem pointer = ram(static_cast<int32_t>(op_->operand));
  Label& back = label();
  Label& elsewhere = label();
  code_.load16(rax, pointer);
  code_.lea(rsi, {rax, 0, y});
  code_.zero_extend16(rsi, rsi);
  Label& not_cartridge = label();
  code_.test(rsi, 0x1000U);
  code_.jump(If::zero, not_cartridge);
  if (map_.hot_reads().count != 0) jump_if_within(map_.hot_reads(), rsi, instead());
  count_crossing();
  load_from_view(to, elsewhere);
  code_.bind(back);
  later(not_cartridge, [this, &elsewhere, &back, to] {
    count_crossing();
    code_.alu(Alu::cmp, rsi, 0xff);
    code_.jump(If::above, elsewhere);
    code_.test8(rsi, rsi);
    code_.jump(If::not_negative, elsewhere);
    code_.load8(to, ram_at_address(rsi));
    code_.jump(back);
  });
  later(elsewhere, [this, pointer, &back, to] {
    bus_to_first_argument();
    code_.load8(rdx, {pointer.base, pointer.offset + 1});
    now_to(rcx);
    call(runtime::read);
    if (to != rax) code_.mov(to, rax);
    code_.jump(back);
  });
}

// The byte of the cartridge at the address in rsi, or a jump where reads change what is seen.
void Emitter::load_from_view(Reg to, Label& elsewhere) {
  if (map_.follows_address()) return code_.jump(elsewhere);
  code_.alu(Alu::bit_and, rsi, 0xfff);
  code_.load64(rax, PP_IN_FRAME(view));
  code_.load8(to, {rax, 0, rsi});
}

// One cycle if the page of the address in rsi is not that of rax, which is destroyed.
void Emitter::count_crossing() {
  code_.alu(Alu::bit_xor, rax, rsi);
  code_.alu(Alu::cmp, rax, 0x100);
  code_.alu(Alu::sbb, cycles, -1);
}

// One cycle if the index carries into the address's high byte.
void Emitter::add_cycle_if_carry(Reg index) {
  const auto low = static_cast<uint8_t>(op_->operand);
  if (low == 0) return;
  code_.mov(rax, index);
  code_.alu8(Alu::add, rax, low);
  code_.alu(Alu::adc, cycles, 0);
}

void Emitter::result(Reg from) {
  code_.mov(shown, from);
}

// --- With the byte in rax.

void Emitter::logic(Alu what) {
  code_.alu(what, a, rax);
  result(a);
}

// The host's flags are the 6507's, but that the carry of a difference is the borrow's opposite.
void Emitter::add_or_subtract(Alu what) {
  const bool subtracts = what == Alu::sbb;
  Label& decimal = label();
  Label& back = label();
  code_.alu8(Alu::cmp, PP_IN_CPU(decimal), 0);
  code_.jump(If::not_zero, decimal);
  code_.load8(rcx, PP_IN_CPU(carry));
  subtracts ? code_.alu8(Alu::cmp, rcx, uint8_t{1}) : code_.neg8(rcx);
  code_.alu8(what, a, rax);
  code_.set(subtracts ? If::not_below : If::below, PP_IN_CPU(carry));
  code_.set(If::overflow, PP_IN_CPU(overflow));
  code_.bind(back);
  result(a);
  later(decimal, [this, subtracts, &back] {
    bus_to_first_argument();
    code_.mov(rsi, a);
    code_.mov(rdx, rax);
    call(subtracts ? runtime::subtract_decimal : runtime::add_decimal);
    code_.mov(a, rax);
    code_.jump(back);
  });
}

void Emitter::compare(Reg with) {
  code_.mov(shown, with);
  code_.alu8(Alu::sub, shown, rax);
  code_.set(If::not_below, PP_IN_CPU(carry));
}

// BIT: N and V are bits of the byte, Z of its conjunction with A.
void Emitter::test_bits() {
  code_.mov(shown, a);
  code_.alu(Alu::bit_and, shown, rax);
  code_.mov(rcx, rax);
  code_.alu(Alu::bit_and, rcx, 0x80);
  code_.shift(Shift::shl, rcx, 8);
  code_.alu(Alu::bit_or, shown, rcx);
  code_.shift(Shift::shr, rax, 6);
  code_.alu(Alu::bit_and, rax, 1);
  code_.store8(PP_IN_CPU(overflow), rax);
}

void Emitter::wait_for_timer(Reg to) {
  bus_to_first_argument();
  code_.mov(rsi, op_->operand);
  now_to(rdx);
  call(runtime::wait_for_timer);
  code_.mov(rcx, rax);
  code_.shift(Shift::shr, rcx, 8);
  code_.alu(Alu::add, cycles, rcx);
  code_.zero_extend8(to, rax);
  result(to);
  leave_if_over();
}

}  // namespace pp::atari::vcs::translator::x86_64

#endif
