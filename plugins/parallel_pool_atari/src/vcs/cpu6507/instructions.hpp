// The 6507's instructions, over a way to reach memory.
//
// Template parameter `Port` offers fetch, read, write and jump as exact_cpu.hpp and fast_cpu.hpp
// define them, and holds `cycles`. Everything is inlined into one loop per Port, where registers
// live in the host's registers.
//
// All accesses of an instruction happen in its last cycle, one after another, as in Stella's "low
// compatibility" 6502, which ALE has. Reads that the 6507 makes and does not use are left out, but
// for those of the stack and program that Stella makes: they leave their byte on the data bus,
// where the TIA's undriven lines show it. `on_bus` is the byte that was there last. Long, because
// it is one table: the instructions of one processor.

#ifndef PARALLEL_POOL_ATARI_VCS_CPU6507_INSTRUCTIONS_HPP_
#define PARALLEL_POOL_ATARI_VCS_CPU6507_INSTRUCTIONS_HPP_

#include <array>
#include <cstdint>

#include "../bus.hpp"

#define PP_INLINE __attribute__((always_inline)) inline

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
struct Instructions : Port {
  using Port::cycles;
  using Port::fetch;

  uint8_t a, x, y, sp;
  uint8_t negative, nonzero, carry, overflow, decimal, interrupt;

  template <class... Args>
  explicit PP_INLINE Instructions(Args&... args) : Port(args...) {
    take(this->bus.s.cpu);
  }

  PP_INLINE void take(const CpuState& s) {
    a = s.a;
    x = s.x;
    y = s.y;
    sp = s.sp;
    negative = s.negative;
    nonzero = s.nonzero;
    carry = s.carry;
    overflow = s.overflow;
    decimal = s.decimal;
    interrupt = s.interrupt;
    cycles = s.cycles;
    this->on_bus = s.on_bus;
    this->enter(s.pc);
  }
  PP_INLINE void give(CpuState& s) const {
    s.a = a;
    s.x = x;
    s.y = y;
    s.sp = sp;
    s.negative = negative;
    s.nonzero = nonzero;
    s.carry = carry;
    s.overflow = overflow;
    s.decimal = decimal;
    s.interrupt = interrupt;
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
  PP_INLINE uint16_t pointer(uint8_t at, uint8_t on_bus) {
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
  using Change = uint8_t (Instructions::*)(uint8_t);
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

  // --- Arithmetic.

  PP_INLINE void result(uint8_t value) { negative = nonzero = value; }
  PP_INLINE void load(uint8_t& to, uint8_t value) { result(to = value); }

  PP_INLINE void add_binary(uint8_t value) {
    const unsigned sum = a + unsigned{value} + carry;
    overflow = static_cast<uint8_t>((~(a ^ unsigned{value}) & (a ^ sum)) >> 7 & 1);
    carry = static_cast<uint8_t>(sum >> 8);
    load(a, static_cast<uint8_t>(sum));
  }
  // Stella's decimal mode: digits above 9 are taken for what they are worth, and all flags come
  // from the decimal result.
  PP_INLINE static unsigned from_bcd(uint8_t value) { return (value >> 4) * 10U + (value & 15U); }
  PP_INLINE static uint8_t to_bcd(unsigned value) {
    return static_cast<uint8_t>(value % 100 / 10 << 4 | value % 10);
  }
  PP_INLINE void decimal_overflow(uint8_t before, uint8_t value) {
    overflow = static_cast<uint8_t>((before ^ a) & (a ^ value)) >> 7;
  }
  PP_INLINE void add(uint8_t value) {
    if (__builtin_expect(decimal == 0, 1)) return add_binary(value);
    const uint8_t before = a;
    const unsigned sum = from_bcd(a) + from_bcd(value) + carry;
    carry = sum > 99;
    load(a, to_bcd(sum & 0xff));
    decimal_overflow(before, value);
  }
  PP_INLINE void subtract(uint8_t value) {
    if (__builtin_expect(decimal == 0, 1)) return add_binary(static_cast<uint8_t>(~value));
    const uint8_t before = a;
    const int borrow = carry != 0 ? 0 : 1;
    int difference = static_cast<int>(from_bcd(a)) - static_cast<int>(from_bcd(value)) - borrow;
    if (difference < 0) difference += 100;
    // Digits above 9 can leave it negative. Stella then looks before its table of this conversion,
    // where the one of the other direction ends.
    load(a, difference >= 0 ? to_bcd(static_cast<unsigned>(difference))
                            : static_cast<uint8_t>(from_bcd(static_cast<uint8_t>(difference))));
    carry = before >= value + borrow;
    decimal_overflow(before, value);
  }
  PP_INLINE void compare(uint8_t reg, uint8_t value) {
    result(static_cast<uint8_t>(reg - value));
    carry = reg >= value;
  }
  PP_INLINE void bit(uint8_t value) {
    nonzero = a & value;
    negative = value;
    overflow = value >> 6 & 1;
  }

  PP_INLINE uint8_t shift_left(uint8_t v) {
    carry = v >> 7;
    result(v = static_cast<uint8_t>(v << 1));
    return v;
  }
  PP_INLINE uint8_t shift_right(uint8_t v) {
    carry = v & 1;
    result(v >>= 1);
    return v;
  }
  PP_INLINE uint8_t rotate_left(uint8_t v) {
    const uint8_t in = carry;
    carry = v >> 7;
    result(v = static_cast<uint8_t>(v << 1 | in));
    return v;
  }
  PP_INLINE uint8_t rotate_right(uint8_t v) {
    const uint8_t in = carry;
    carry = v & 1;
    result(v = static_cast<uint8_t>(v >> 1 | in << 7));
    return v;
  }
  PP_INLINE uint8_t increment(uint8_t v) {
    result(++v);
    return v;
  }
  PP_INLINE uint8_t decrement(uint8_t v) {
    result(--v);
    return v;
  }

  // --- Instructions that MOS did not document. Two in one:
  PP_INLINE uint8_t slo(uint8_t v) {
    v = shift_left(v);
    load(a, a | v);
    return v;
  }
  PP_INLINE uint8_t rla(uint8_t v) {
    v = rotate_left(v);
    load(a, a & v);
    return v;
  }
  PP_INLINE uint8_t sre(uint8_t v) {
    v = shift_right(v);
    load(a, a ^ v);
    return v;
  }
  PP_INLINE uint8_t rra(uint8_t v) {
    v = rotate_right(v);
    add(v);
    return v;
  }
  PP_INLINE uint8_t dcp(uint8_t v) {
    compare(a, --v);
    return v;
  }
  PP_INLINE uint8_t isb(uint8_t v) {
    subtract(++v);
    return v;
  }
  PP_INLINE void lax(uint8_t v) { load(a, x = v); }
  PP_INLINE void anc(uint8_t v) {
    load(a, a & v);
    carry = a >> 7;
  }
  PP_INLINE void asr(uint8_t v) {
    a &= v;
    a = shift_right(a);
  }
  PP_INLINE void sbx(uint8_t v) {
    const uint8_t both = a & x;
    carry = both >= v;
    load(x, static_cast<uint8_t>(both - v));
  }
  // Those that depend on temperature in silicon, as 64doc.txt describes and Stella does them.
  PP_INLINE void ane(uint8_t v) { load(a, (a | 0xee) & x & v); }
  PP_INLINE void lxa(uint8_t v) { load(a, x = (a | 0xee) & v); }
  PP_INLINE void las(uint8_t v) { load(a, x = sp = sp & v); }
  PP_INLINE void arr(uint8_t v) {
    const uint8_t both = a & v;
    const auto rotated = static_cast<uint8_t>(both >> 1 | carry << 7);
    if (decimal == 0) {
      load(a, rotated);
      carry = rotated >> 6 & 1;
      overflow = (rotated >> 6 ^ rotated >> 5) & 1;
      return;
    }
    negative = static_cast<uint8_t>(carry << 7);
    nonzero = rotated;
    overflow = (both ^ rotated) >> 6 & 1;
    a = rotated;
    if ((both & 0x0f) + (both & 0x01) > 0x05) {
      a = static_cast<uint8_t>((a & 0xf0) | ((a + 0x06) & 0x0f));
    }
    carry = (both & 0xf0) + (both & 0x10) > 0x50;
    if (carry != 0) a = static_cast<uint8_t>(a + 0x60);
  }
  PP_INLINE void store_masked(uint16_t address, uint8_t value) {
    this->write(address, static_cast<uint8_t>(value & (high(address) + 1)));
  }
  PP_INLINE void shs() {
    sp = a & x;
    store_masked(to_absolute_y(), sp);
  }

  // --- The stack and jumps.

  PP_INLINE uint8_t status() const {
    // The 6507's B flag is always set.
    return static_cast<uint8_t>(0x30 | (negative & 0x80) | overflow << 6 | decimal << 3 |
                                interrupt << 2 | (nonzero == 0) << 1 | carry);
  }
  PP_INLINE void set_status(uint8_t p) {
    negative = p;
    overflow = p >> 6 & 1;
    decimal = p >> 3 & 1;
    interrupt = p >> 2 & 1;
    nonzero = (p & 2) == 0;
    carry = p & 1;
  }

  PP_INLINE void push(uint8_t value) { this->write_zero(sp--, value); }
  // Of an instruction that pushes several bytes.
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
