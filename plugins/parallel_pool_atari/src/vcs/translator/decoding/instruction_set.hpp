// SPDX-License-Identifier: GPL-2.0-only
// The instruction and the addressing mode of each opcode, by MOS's names.
//
// Instructions that MOS did not document are `other`: the interpreter executes them. Their modes
// are known all the same, because the translator has to find the instruction behind them.

#ifndef PARALLEL_POOL_ATARI_VCS_TRANSLATOR_DECODING_INSTRUCTION_SET_HPP_
#define PARALLEL_POOL_ATARI_VCS_TRANSLATOR_DECODING_INSTRUCTION_SET_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

namespace pp::atari::vcs::translator {

// NOLINTBEGIN(readability-identifier-naming): MOS's names
enum class Instruction : uint8_t {
  other,
  jam,
  // These read a byte, in the order of the operations that do.
  LDA,
  LDX,
  LDY,
  AND,
  ORA,
  EOR,
  ADC,
  SBC,
  CMP,
  CPX,
  CPY,
  BIT,
  // These write one.
  STA,
  STX,
  STY,
  // These change one, in memory or in A.
  ASL,
  ROL,
  LSR,
  ROR,
  INC,
  DEC,
  INX,
  INY,
  DEX,
  DEY,
  TAX,
  TAY,
  TXA,
  TYA,
  TSX,
  TXS,
  PHA,
  PHP,
  PLA,
  PLP,
  CLC,
  SEC,
  CLI,
  SEI,
  CLV,
  CLD,
  SED,
  NOP,
  BPL,
  BMI,
  BVC,
  BVS,
  BCC,
  BCS,
  BNE,
  BEQ,
  BRK,
  JSR,
  RTI,
  RTS,
  JMP,
};
// NOLINTEND(readability-identifier-naming)

enum class Mode : uint8_t {
  implied,
  accumulator,
  immediate,
  zero,
  zero_x,
  zero_y,
  absolute,
  absolute_x,
  absolute_y,
  indirect_x,
  indirect_y,
  indirect,
  relative,
};

struct Decoded {
  Instruction instruction = Instruction::other;
  Mode mode = Mode::implied;
  uint8_t length = 1;  // bytes
};

constexpr bool is_read(Instruction i) {
  return i >= Instruction::LDA && i <= Instruction::BIT;
}
constexpr bool is_store(Instruction i) {
  return i >= Instruction::STA && i <= Instruction::STY;
}
constexpr bool is_change(Instruction i) {
  return i >= Instruction::ASL && i <= Instruction::DEC;
}
constexpr bool is_branch(Instruction i) {
  return i >= Instruction::BPL && i <= Instruction::BEQ;
}

constexpr uint8_t length_of(Mode mode) {
  switch (mode) {
    case Mode::implied:
    case Mode::accumulator:
      return 1;
    case Mode::absolute:
    case Mode::absolute_x:
    case Mode::absolute_y:
    case Mode::indirect:
      return 3;
    default:
      return 2;
  }
}

// The modes form columns of the opcode table, with few exceptions.
constexpr Mode mode_of(uint8_t opcode) {
  const bool index_is_y = (opcode & 0xd6) == 0x96;  // STX, LDX and the like
  switch (opcode & 0x1f) {
    case 0x00:
      if (opcode == 0x20) return Mode::absolute;
      return opcode >= 0x80 ? Mode::immediate : Mode::implied;
    case 0x01:
    case 0x03:
      return Mode::indirect_x;
    case 0x02:
      return opcode >= 0x80 ? Mode::immediate : Mode::implied;
    case 0x04:
    case 0x05:
    case 0x06:
    case 0x07:
      return Mode::zero;
    case 0x09:
    case 0x0b:
      return Mode::immediate;
    case 0x0a:
      return opcode < 0x80 ? Mode::accumulator : Mode::implied;
    case 0x0c:
      return opcode == 0x6c ? Mode::indirect : Mode::absolute;
    case 0x0d:
    case 0x0e:
    case 0x0f:
      return Mode::absolute;
    case 0x10:
      return Mode::relative;
    case 0x11:
    case 0x13:
      return Mode::indirect_y;
    case 0x14:
    case 0x15:
    case 0x16:
    case 0x17:
      return index_is_y ? Mode::zero_y : Mode::zero_x;
    case 0x19:
    case 0x1b:
      return Mode::absolute_y;
    case 0x1c:
    case 0x1d:
    case 0x1e:
    case 0x1f:
      return index_is_y ? Mode::absolute_y : Mode::absolute_x;
    default:
      return Mode::implied;
  }
}

constexpr Instruction instruction_of(uint8_t opcode) {
  using I = Instruction;
  constexpr I by_row[4][8] = {
      {I::other, I::BIT, I::other, I::other, I::STY, I::LDY, I::CPY, I::CPX},
      {I::ORA, I::AND, I::EOR, I::ADC, I::STA, I::LDA, I::CMP, I::SBC},
      {I::ASL, I::ROL, I::LSR, I::ROR, I::STX, I::LDX, I::DEC, I::INC},
      {I::other, I::other, I::other, I::other, I::other, I::other, I::other, I::other},
  };
  constexpr I branches[8] = {I::BPL, I::BMI, I::BVC, I::BVS, I::BCC, I::BCS, I::BNE, I::BEQ};
  constexpr I column_08[8] = {I::PHP, I::PLP, I::PHA, I::PLA, I::DEY, I::TAY, I::INY, I::INX};
  constexpr I column_18[8] = {I::CLC, I::SEC, I::CLI, I::SEI, I::TYA, I::CLV, I::CLD, I::SED};
  const size_t row = opcode >> 5;
  const I usual = by_row[opcode & 3][row];
  switch (opcode & 0x1f) {
    case 0x00:
      switch (opcode) {
        case 0x00:
          return I::BRK;
        case 0x20:
          return I::JSR;
        case 0x40:
          return I::RTI;
        case 0x60:
          return I::RTS;
        case 0x80:
          return I::other;
        default:
          return usual;
      }
    case 0x02:
      return opcode == 0xa2 ? I::LDX : opcode < 0x80 ? I::jam : I::other;
    case 0x04:
      return usual;
    case 0x08:
      return column_08[row];
    case 0x09:
      return opcode == 0x89 ? I::other : usual;
    case 0x0a:
      switch (opcode) {
        case 0x8a:
          return I::TXA;
        case 0xaa:
          return I::TAX;
        case 0xca:
          return I::DEX;
        case 0xea:
          return I::NOP;
        default:
          return usual;
      }
    case 0x0c:
      return opcode == 0x4c || opcode == 0x6c ? I::JMP : usual;
    case 0x10:
      return branches[row];
    case 0x12:
      return I::jam;
    case 0x14:
      return opcode == 0x94 || opcode == 0xb4 ? usual : I::other;
    case 0x18:
      return column_18[row];
    case 0x1a:
      return opcode == 0x9a ? I::TXS : opcode == 0xba ? I::TSX : I::other;
    case 0x1c:
      return opcode == 0xbc ? I::LDY : I::other;
    case 0x1e:
      return opcode == 0x9e ? I::other : usual;
    default:
      return usual;
  }
}

inline constexpr auto instruction_set = [] {
  std::array<Decoded, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    const auto opcode = static_cast<uint8_t>(i);
    table[i] = {instruction_of(opcode), mode_of(opcode), length_of(mode_of(opcode))};
  }
  return table;
}();

}  // namespace pp::atari::vcs::translator

#endif  // PARALLEL_POOL_ATARI_VCS_TRANSLATOR_DECODING_INSTRUCTION_SET_HPP_
