// SPDX-License-Identifier: GPL-2.0-only
// The 6507's registers and flags, and what instructions do to them without memory. Everything is
// inlined into the loop of instructions.hpp.

#ifndef PARALLEL_POOL_ATARI_VCS_CPU6507_CPU_REGISTERS_HPP_
#define PARALLEL_POOL_ATARI_VCS_CPU6507_CPU_REGISTERS_HPP_

#include <cstdint>

#include "../state.hpp"

#define PP_INLINE __attribute__((always_inline)) inline

namespace pp::atari::vcs::cpu6507 {

struct CpuRegisters {
  uint8_t a, x, y, sp;
  uint8_t carry, overflow, decimal, interrupt;
  // The value that tells the flags N and Z, mostly one result: Z is set where the low byte is 0, N
  // where bit 7 or bit 15 is set.
  uint32_t shown;

  PP_INLINE void take(const CpuState& s) {
    a = s.a;
    x = s.x;
    y = s.y;
    sp = s.sp;
    show((s.negative & 0x80) != 0, s.nonzero);
    carry = s.carry;
    overflow = s.overflow;
    decimal = s.decimal;
    interrupt = s.interrupt;
  }
  PP_INLINE void give(CpuState& s) const {
    s.a = a;
    s.x = x;
    s.y = y;
    s.sp = sp;
    s.negative = static_cast<uint8_t>(shown >> 8 | shown);
    s.nonzero = static_cast<uint8_t>(shown);
    s.carry = carry;
    s.overflow = overflow;
    s.decimal = decimal;
    s.interrupt = interrupt;
  }

  PP_INLINE bool is_zero() const { return (shown & 0xffU) == 0; }
  PP_INLINE bool is_negative() const { return (shown & 0x8080U) != 0; }
  PP_INLINE void show(bool negative, uint8_t nonzero) {
    shown = nonzero | (negative ? 0x8000U : 0U);
  }

  PP_INLINE uint8_t status() const {
    // The 6507's B flag is always set.
    return static_cast<uint8_t>(0x30 | (is_negative() ? 0x80 : 0) | overflow << 6 | decimal << 3 |
                                interrupt << 2 | is_zero() << 1 | carry);
  }
  PP_INLINE void set_status(uint8_t p) {
    show((p & 0x80) != 0, (p & 2) == 0);
    overflow = p >> 6 & 1;
    decimal = p >> 3 & 1;
    interrupt = p >> 2 & 1;
    carry = p & 1;
  }

  PP_INLINE void result(uint8_t value) { shown = value; }
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
    shown = (a & unsigned{value}) | (value & 0x80U) << 8;
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

  // Instructions that MOS did not document. Two in one:
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
  // These depend on temperature in silicon; they do what 64doc.txt describes and Stella does.
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
    result(rotated);
    overflow = (both ^ rotated) >> 6 & 1;
    a = rotated;
    if ((both & 0x0f) + (both & 0x01) > 0x05) {
      a = static_cast<uint8_t>((a & 0xf0) | ((a + 0x06) & 0x0f));
    }
    carry = (both & 0xf0) + (both & 0x10) > 0x50;
    if (carry != 0) a = static_cast<uint8_t>(a + 0x60);
  }
};

}  // namespace pp::atari::vcs::cpu6507

#endif  // PARALLEL_POOL_ATARI_VCS_CPU6507_CPU_REGISTERS_HPP_
