// SPDX-License-Identifier: GPL-2.0-only
// Writes instructions of x86-64 into a buffer: those that the emitter needs, by the names of
// Intel's manual (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2).

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_ASSEMBLER_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_ASSEMBLER_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace pp::atari::vcs::translator::x86_64 {

enum Reg : uint8_t {
  rax,
  rcx,
  rdx,
  rbx,
  rsp,
  rbp,
  rsi,
  rdi,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15,
  no_reg,
};

// base + index + offset.
struct Mem {
  Reg base;
  int32_t offset = 0;
  Reg index = no_reg;
};

// Condition codes.
enum class If : uint8_t {
  overflow = 0,
  below = 2,
  not_below = 3,
  zero = 4,
  not_zero = 5,
  not_above = 6,
  above = 7,
  not_negative = 9,
};

// Two operands, the number as encoded.
enum class Alu : uint8_t { add, bit_or, adc, sbb, bit_and, sub, bit_xor, cmp };
enum class Shift : uint8_t { rcl = 2, rcr = 3, shl = 4, shr = 5 };

// A place in the code that jumps lead to, before or after it is known.
class Label {
 public:
  bool is_bound() const { return at_ != unknown; }

 private:
  friend class Assembler;
  static constexpr size_t unknown = SIZE_MAX;
  size_t at_ = unknown;
  std::vector<size_t> uses_;  // ends of the distances that lead here
};

class Assembler {
 public:
  const std::vector<uint8_t>& code() const { return code_; }
  size_t size() const { return code_.size(); }

  void bind(Label& label) {
    label.at_ = size();
    for (const size_t use : label.uses_) patch(use, label.at_);
  }

  // --- Copies. A byte or word that is loaded fills its register with zeros.

  void load8(Reg to, Mem from) { memory({0x0f, 0xb6}, to, from); }
  void load16(Reg to, Mem from) { memory({0x0f, 0xb7}, to, from); }
  void load32(Reg to, Mem from) { memory({0x8b}, to, from); }
  void load64(Reg to, Mem from) { memory({0x8b}, to, from, wide); }
  void store8(Mem to, Reg from) { memory({0x88}, from, to, byte); }
  void store32(Mem to, Reg from) { memory({0x89}, from, to); }
  void store64(Mem to, Reg from) { memory({0x89}, from, to, wide); }
  void store8(Mem to, uint8_t value) {
    memory({0xc6}, rax, to);
    put8(value);
  }
  void store16(Mem to, Reg from) {
    put8(0x66);
    memory({0x89}, from, to);
  }
  void store16(Mem to, uint16_t value) {
    put8(0x66);
    memory({0xc7}, rax, to);
    put8(static_cast<uint8_t>(value));
    put8(static_cast<uint8_t>(value >> 8));
  }
  void mov(Reg to, Reg from) { registers({0x8b}, to, from); }
  void mov(Reg to, uint32_t value) {
    if (value == 0) return alu(Alu::bit_xor, to, to);
    if (to >= r8) put8(0x41);
    put8(static_cast<uint8_t>(0xb8 | (to & 7U)));
    put32(value);
  }
  void mov64(Reg to, uint64_t value) {
    put8(to >= r8 ? 0x49 : 0x48);
    put8(static_cast<uint8_t>(0xb8 | (to & 7U)));
    for (int i = 0; i < 8; ++i) put8(static_cast<uint8_t>(value >> (8 * i)));
  }
  void zero_extend8(Reg to, Reg from) { registers({0x0f, 0xb6}, to, from, byte); }
  void zero_extend16(Reg to, Reg from) { registers({0x0f, 0xb7}, to, from); }
  void lea(Reg to, Mem from) { memory({0x8d}, to, from); }
  void lea64(Reg to, Mem from) { memory({0x8d}, to, from, wide); }

  // --- Arithmetic, of 32 or 8 bits.

  void alu(Alu what, Reg to, Reg from) { registers({opcode(what, 0x03)}, to, from); }
  void alu(Alu what, Reg to, Mem from) { memory({opcode(what, 0x03)}, to, from); }
  void alu(Alu what, Reg to, int32_t value) {
    const bool fits = value >= -128 && value < 128;
    registers({static_cast<uint8_t>(fits ? 0x83 : 0x81)}, static_cast<Reg>(what), to);
    if (fits) return put8(static_cast<uint8_t>(value));
    put32(static_cast<uint32_t>(value));
  }
  void alu8(Alu what, Reg to, Reg from) { registers({opcode(what, 0x02)}, to, from, byte); }
  void alu8(Alu what, Reg to, Mem from) { memory({opcode(what, 0x02)}, to, from, byte); }
  void alu8(Alu what, Reg to, uint8_t value) {
    registers({0x80}, static_cast<Reg>(what), to, byte);
    put8(value);
  }
  void alu8(Alu what, Mem to, uint8_t value) {
    memory({0x80}, static_cast<Reg>(what), to);
    put8(value);
  }
  void test8(Reg a, Reg b) { registers({0x84}, a, b, byte); }
  void test(Reg a, Reg b) { registers({0x85}, a, b); }
  void test(Reg a, uint32_t bits) {
    registers({0xf7}, rax, a);
    put32(bits);
  }
  void inc8(Reg to) { registers({0xfe}, static_cast<Reg>(0), to, byte); }
  void dec8(Reg to) { registers({0xfe}, static_cast<Reg>(1), to, byte); }
  void neg8(Reg to) { registers({0xf6}, static_cast<Reg>(3), to, byte); }
  void shift(Shift how, Reg to, uint8_t by) {
    registers({0xc1}, static_cast<Reg>(how), to);
    put8(by);
  }
  void shift64(Shift how, Reg to, uint8_t by) {
    registers({0xc1}, static_cast<Reg>(how), to, wide);
    put8(by);
  }
  void shift8_once(Shift how, Reg to) { registers({0xd0}, static_cast<Reg>(how), to, byte); }
  // to = from * value
  void multiply64(Reg to, Reg from, int32_t value) {
    registers({0x69}, to, from, wide);
    put32(static_cast<uint32_t>(value));
  }
  void multiply(Reg to, Reg from, int32_t value) {
    registers({0x69}, to, from);
    put32(static_cast<uint32_t>(value));
  }
  // 1 or 0 as a byte.
  void set(If condition, Mem to) {
    memory({0x0f, static_cast<uint8_t>(0x90 | static_cast<uint8_t>(condition))}, rax, to);
  }

  // --- Control.

  void jump(Label& to) {
    put8(0xe9);
    distance(to);
  }
  void jump(If condition, Label& to) {
    put8(0x0f);
    put8(static_cast<uint8_t>(0x80 | static_cast<uint8_t>(condition)));
    distance(to);
  }
  void jump(Reg to) { registers({0xff}, static_cast<Reg>(4), to); }
  void jump(Mem to) { memory({0xff}, static_cast<Reg>(4), to); }
  void call(Label& to) {
    put8(0xe8);
    distance(to);
  }
  void call(Reg to) { registers({0xff}, static_cast<Reg>(2), to); }
  void ret() { put8(0xc3); }
  void push(Reg from) {
    if (from >= r8) put8(0x41);
    put8(static_cast<uint8_t>(0x50 | (from & 7U)));
  }
  void pop(Reg to) {
    if (to >= r8) put8(0x41);
    put8(static_cast<uint8_t>(0x58 | (to & 7U)));
  }
  void move_stack(int32_t by) {
    registers({0x81}, static_cast<Reg>(Alu::add), rsp, wide);
    put32(static_cast<uint32_t>(by));
  }

 private:
  // An opcode of one byte, or of two of which the first is 0x0f.
  struct Opcode {
    uint8_t first, second = 0;
  };
  enum Width { plain, wide, byte };

  static uint8_t opcode(Alu what, uint8_t form) {
    return static_cast<uint8_t>(static_cast<unsigned>(what) << 3 | form);
  }
  void put8(uint8_t value) { code_.push_back(value); }
  void put32(uint32_t value) {
    for (int i = 0; i < 4; ++i) put8(static_cast<uint8_t>(value >> (8 * i)));
  }

  // REX: the fourth bits of the registers, and 64 bits. Bytes of rsp to rdi are named only with it.
  void prefix(Opcode what, unsigned reg, unsigned index, unsigned base, Width width, bool named) {
    const unsigned rex = (width == wide ? 8U : 0U) | (reg >= r8 ? 4U : 0U) |
                         (index >= r8 && index != no_reg ? 2U : 0U) | (base >= r8 ? 1U : 0U);
    if (rex != 0 || named) put8(static_cast<uint8_t>(0x40 | rex));
    put8(what.first);
    if (what.first == 0x0f) put8(what.second);
  }
  void registers(Opcode what, Reg reg, Reg other, Width width = plain) {
    prefix(what, reg, no_reg, other, width, width == byte && (reg >= rsp || other >= rsp));
    put8(static_cast<uint8_t>(0xc0 | (reg & 7U) << 3 | (other & 7U)));
  }
  void memory(Opcode what, Reg reg, Mem at, Width width = plain) {
    prefix(what, reg, at.index, at.base, width, width == byte && reg >= rsp);
    const bool near = at.offset >= -128 && at.offset < 128;
    const bool indexed = at.index != no_reg || (at.base & 7U) == rsp;
    const unsigned mode = near ? 0x40 : 0x80;
    put8(static_cast<uint8_t>(mode | (reg & 7U) << 3 | (indexed ? 4U : at.base & 7U)));
    if (indexed) {
      const unsigned index = at.index == no_reg ? 4U : at.index & 7U;
      put8(static_cast<uint8_t>(index << 3 | (at.base & 7U)));
    }
    if (near) return put8(static_cast<uint8_t>(at.offset));
    put32(static_cast<uint32_t>(at.offset));
  }

  void distance(Label& to) {
    put32(0);
    if (to.is_bound()) return patch(size(), to.at_);
    to.uses_.push_back(size());
  }
  void patch(size_t end, size_t to) {
    const auto distance =
        static_cast<uint32_t>(static_cast<int64_t>(to) - static_cast<int64_t>(end));
    for (size_t i = 0; i < 4; ++i) code_[end - 4 + i] = static_cast<uint8_t>(distance >> (8 * i));
  }

  std::vector<uint8_t> code_;
};

}  // namespace pp::atari::vcs::translator::x86_64

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_X86_64_ASSEMBLER_HPP_
