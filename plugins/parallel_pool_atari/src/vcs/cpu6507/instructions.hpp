// SPDX-License-Identifier: GPL-2.0-only
// The 6507's instructions, over a way to reach memory.
//
// Template parameter `Port` offers fetch, read, write and jump as exact_cpu.hpp and fast_cpu.hpp
// define them, and holds `cycles`. Everything is inlined into one loop per Port, where registers
// live in the host's registers.
//
// All accesses of an instruction happen in its last cycle, one after another, as in Stella's "low
// compatibility" 6502, which ALE has. Reads that the 6507 makes and does not use are left out, but
// for those of the stack and program that Stella makes: they leave their byte on the data bus,
// where the TIA's undriven lines show it. `on_bus` is the byte that was there last.

#ifndef PARALLEL_POOL_ATARI_VCS_CPU6507_INSTRUCTIONS_HPP_
#define PARALLEL_POOL_ATARI_VCS_CPU6507_INSTRUCTIONS_HPP_

#include <array>
#include <cstdint>

#include "../bus.hpp"
#include "cpu_registers.hpp"

namespace pp::atari::vcs::cpu6507 {

// Without page crossings, taken branches and WSYNC.
inline constexpr std::array<uint8_t, 256> opcode_cycles = {
    7, 6, 2, 8, 3, 3, 5, 5, 3, 2, 2, 2, 4, 4, 6, 6,  //
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,  //
    6, 6, 2, 8, 3, 3, 5, 5, 4, 2, 2, 2, 4, 4, 6, 6,  //
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,  //
    6, 6, 2, 8, 3, 3, 5, 5, 3, 2, 2, 2, 3, 4, 6, 6,  //
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,  //
    6, 6, 2, 8, 3, 3, 5, 5, 4, 2, 2, 2, 5, 4, 6, 6,  //
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,  //
    2, 6, 2, 6, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4,  //
    2, 6, 2, 6, 4, 4, 4, 4, 2, 5, 2, 5, 5, 5, 5, 5,  //
    2, 6, 2, 6, 3, 3, 3, 4, 2, 2, 2, 2, 4, 4, 4, 4,  //
    2, 5, 2, 5, 4, 4, 4, 4, 2, 4, 2, 4, 4, 4, 4, 4,  //
    2, 6, 2, 8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6,  //
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,  //
    2, 6, 2, 8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6,  //
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,  //
};
inline constexpr uint32_t fewest_cycles = 2;

template <class Port>
struct Instructions : Port, CpuRegisters {
  using Port::cycles;
  using Port::fetch;

  template <class... Args>
  explicit PP_INLINE Instructions(Args&... args) : Port(args...) {
    take(this->bus.s.cpu);
  }

  PP_INLINE void take(const CpuState& s) {
    CpuRegisters::take(s);
    cycles = s.cycles;
    this->on_bus = s.on_bus;
    this->enter(s.pc);
  }
  PP_INLINE void give(CpuState& s) const {
    CpuRegisters::give(s);
    s.cycles = cycles;
    s.on_bus = this->on_bus;
    s.pc = this->pc();
  }

  // --- Operands. The effective address where there is one, then the byte.

  PP_INLINE uint16_t absolute() {
    const unsigned low = fetch();
    return static_cast<uint16_t>(low | unsigned{fetch()} << 8);
  }
  PP_INLINE static uint8_t high(uint16_t address) { return static_cast<uint8_t>(address >> 8); }
  // A read takes a cycle more if the index carries into the address's high byte.
  PP_INLINE uint16_t indexed(uint16_t base, uint8_t index) {
    const auto address = static_cast<uint16_t>(base + index);
    cycles += ((base ^ address) & 0xff00U) != 0;
    return address;
  }
  // A pointer at $FF ends at $0100, which is the same register as $00: no need to wrap.
  // pair_in_ram() gives both bytes where they can be had at once, or null.
  PP_INLINE uint16_t pointer(uint8_t at, uint8_t on_bus) {
    if (const uint8_t* two = this->pair_in_ram(at)) {
      return static_cast<uint16_t>(two[0] | unsigned{two[1]} << 8);
    }
    const uint8_t low = this->read_zero(at, on_bus);
    return static_cast<uint16_t>(low | unsigned{this->read(static_cast<uint16_t>(at + 1), low)}
                                           << 8);
  }

  struct Operand {
    uint16_t address;
    uint8_t value;
  };
  PP_INLINE uint8_t immediate() { return fetch(); }
  PP_INLINE uint8_t zero() {
    const uint8_t at = fetch();
    return this->read_zero(at, at);
  }
  PP_INLINE uint8_t zero_indexed(uint8_t index) {
    const uint8_t base = fetch();
    return this->read_zero(static_cast<uint8_t>(base + index), base);
  }
  PP_INLINE uint8_t zero_x() { return zero_indexed(x); }
  PP_INLINE uint8_t zero_y() { return zero_indexed(y); }
  PP_INLINE uint8_t absolute_read() {
    const uint16_t address = absolute();
    return this->read(address, high(address));
  }
  PP_INLINE uint8_t absolute_indexed(uint8_t index) {
    const uint16_t base = absolute();
    return this->read(indexed(base, index), high(base));
  }
  PP_INLINE uint8_t absolute_x() { return absolute_indexed(x); }
  PP_INLINE uint8_t absolute_y() { return absolute_indexed(y); }
  PP_INLINE uint16_t pointer_x() {
    const uint8_t base = fetch();
    return pointer(static_cast<uint8_t>(base + x), base);
  }
  PP_INLINE uint16_t pointer_y() {
    const uint8_t at = fetch();
    return pointer(at, at);
  }
  PP_INLINE uint8_t indirect_x() {
    const uint16_t address = pointer_x();
    return this->read(address, high(address));
  }
  PP_INLINE uint8_t indirect_y() {
    const uint16_t base = pointer_y();
    return this->read(indexed(base, y), high(base));
  }

  // Addresses to write to, or to read first and then write to; no extra cycles.
  PP_INLINE uint8_t to_zero() { return fetch(); }
  PP_INLINE uint8_t to_zero_x() { return static_cast<uint8_t>(fetch() + x); }
  PP_INLINE uint8_t to_zero_y() { return static_cast<uint8_t>(fetch() + y); }
  PP_INLINE uint16_t to_absolute_x() { return static_cast<uint16_t>(absolute() + x); }
  PP_INLINE uint16_t to_absolute_y() { return static_cast<uint16_t>(absolute() + y); }
  PP_INLINE uint16_t to_indirect_x() { return pointer_x(); }
  PP_INLINE uint16_t to_indirect_y() { return static_cast<uint16_t>(pointer_y() + y); }

  PP_INLINE void store(uint16_t address, uint8_t value) { this->write(address, value); }
  PP_INLINE void store(uint8_t address, uint8_t value) { this->write_zero(address, value); }

  // Reads, changes and writes back. `change` is a member that takes and gives a byte.
  using Change = uint8_t (CpuRegisters::*)(uint8_t);
  template <Change Apply>
  PP_INLINE void modify_zero() {
    const uint8_t at = fetch();
    this->write_zero(at, (this->*Apply)(this->read_zero(at, at)));
  }
  template <Change Apply>
  PP_INLINE void modify_zero_x() {
    const uint8_t base = fetch();
    const auto at = static_cast<uint8_t>(base + x);
    this->write_zero(at, (this->*Apply)(this->read_zero(at, base)));
  }
  template <Change Apply>
  PP_INLINE void modify(uint16_t address, uint8_t on_bus) {
    this->write(address, (this->*Apply)(this->read(address, on_bus)));
  }
  template <Change Apply>
  PP_INLINE void modify_absolute(uint8_t index) {
    const uint16_t base = absolute();
    modify<Apply>(static_cast<uint16_t>(base + index), high(base));
  }
  template <Change Apply>
  PP_INLINE void modify_indirect_x() {
    const uint16_t address = to_indirect_x();
    modify<Apply>(address, high(address));
  }
  template <Change Apply>
  PP_INLINE void modify_indirect_y() {
    const uint16_t base = pointer_y();
    modify<Apply>(static_cast<uint16_t>(base + y), high(base));
  }

  // --- Instructions that MOS did not document, with memory.

  PP_INLINE void store_masked(uint16_t address, uint8_t value) {
    this->write(address, static_cast<uint8_t>(value & (high(address) + 1)));
  }
  PP_INLINE void shs() {
    sp = a & x;
    store_masked(to_absolute_y(), sp);
  }

  // --- The stack and jumps.

  PP_INLINE void push(uint8_t value) { this->write_zero(sp--, value); }
  // The first push of an instruction that pushes several bytes.
  PP_INLINE void push_first(uint8_t value) { this->write_stack(sp--, value, Turn::first); }
  PP_INLINE void push_again(uint8_t value) { this->write_stack(sp--, value, Turn::again); }
  // The byte above the stack is read before the first one that is wanted.
  PP_INLINE uint8_t pull(uint8_t opcode) {
    const uint8_t on_bus = this->read_zero(sp, opcode);
    return this->read_zero(++sp, on_bus);
  }
  PP_INLINE uint16_t pull_address(uint8_t low) {
    return static_cast<uint16_t>(low | unsigned{this->read_zero(++sp, low)} << 8);
  }

  PP_INLINE void branch(bool taken) {
    const auto distance = static_cast<int8_t>(fetch());
    if (taken) cycles += this->move(distance) ? 2 : 1;
  }
  PP_INLINE void jump_subroutine() {
    const uint8_t low = fetch();
    const uint16_t back = this->pc();
    this->read_unused(sp, low);
    push_first(high(back));
    push_again(static_cast<uint8_t>(back));
    jump_to(low, fetch());
  }
  PP_INLINE void jump_to(uint8_t low, uint8_t page) {
    this->jump(static_cast<uint16_t>(low | page << 8), page);
  }
  PP_INLINE void jump_absolute() {
    const uint8_t low = fetch();
    jump_to(low, fetch());
  }
  PP_INLINE void return_from_subroutine() {
    const uint8_t low = pull(0x60);
    const uint16_t back = pull_address(low);
    this->jump(static_cast<uint16_t>(back + 1), this->read_program(back, high(back)));
  }
  PP_INLINE void return_from_interrupt() {
    const uint8_t p = pull(0x40);
    set_status(p);
    const uint8_t low = this->read_zero(++sp, p);
    const uint16_t back = pull_address(low);
    this->jump(back, high(back));
  }
  PP_INLINE void force_break() {
    fetch();
    const uint16_t back = this->pc();
    push_first(high(back));
    push_again(static_cast<uint8_t>(back));
    push_again(status());
    interrupt = 1;
    const uint8_t low = this->read(0xfffe, 0);
    jump_to(low, this->read(0xffff, low));
  }
  PP_INLINE void jump_indirect() {
    const uint16_t at = absolute();
    // The pointer's high byte never comes from the next page.
    const auto next = static_cast<uint16_t>((at & 0xff00U) | ((at + 1U) & 0xffU));
    const uint8_t low = this->read(at, high(at));
    jump_to(low, this->read(next, low));
  }
};

}  // namespace pp::atari::vcs::cpu6507

#endif  // PARALLEL_POOL_ATARI_VCS_CPU6507_INSTRUCTIONS_HPP_
