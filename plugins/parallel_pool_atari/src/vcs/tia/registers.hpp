// SPDX-License-Identifier: GPL-2.0-only
// The TIA's registers, by their names in the Stella Programmer's Guide (Steve Wright, 1979).

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_REGISTERS_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_REGISTERS_HPP_

#include <cstdint>

namespace pp::atari::vcs::tia {

// NOLINTBEGIN(readability-identifier-naming): these are the guide's.
// Written; six address lines count.
enum Register : uint8_t {
  VSYNC = 0x00,
  VBLANK = 0x01,
  WSYNC = 0x02,
  RSYNC = 0x03,
  NUSIZ0 = 0x04,
  NUSIZ1 = 0x05,
  COLUP0 = 0x06,
  COLUP1 = 0x07,
  COLUPF = 0x08,
  COLUBK = 0x09,
  CTRLPF = 0x0a,
  REFP0 = 0x0b,
  REFP1 = 0x0c,
  PF0 = 0x0d,
  PF1 = 0x0e,
  PF2 = 0x0f,
  RESP0 = 0x10,
  RESP1 = 0x11,
  RESM0 = 0x12,
  RESM1 = 0x13,
  RESBL = 0x14,
  GRP0 = 0x1b,
  GRP1 = 0x1c,
  ENAM0 = 0x1d,
  ENAM1 = 0x1e,
  ENABL = 0x1f,
  HMP0 = 0x20,
  HMP1 = 0x21,
  HMM0 = 0x22,
  HMM1 = 0x23,
  HMBL = 0x24,
  VDELP0 = 0x25,
  VDELP1 = 0x26,
  VDELBL = 0x27,
  RESMP0 = 0x28,
  RESMP1 = 0x29,
  HMOVE = 0x2a,
  HMCLR = 0x2b,
  CXCLR = 0x2c,
};
inline constexpr uint8_t write_lines = 0x3f;

// Read; four address lines count.
enum Port : uint8_t {
  CXM0P = 0x00,
  CXBLPF = 0x06,
  CXPPMM = 0x07,
  INPT0 = 0x08,
  INPT3 = 0x0b,
  INPT4 = 0x0c,
  INPT5 = 0x0d,
};
// NOLINTEND(readability-identifier-naming)
inline constexpr uint8_t read_lines = 0x0f;

// Bits.
inline constexpr uint8_t blanked_bit = 0x02;       // VBLANK: the beam is off
inline constexpr uint8_t dump_paddles_bit = 0x80;  // VBLANK: the paddles' capacitors are grounded
inline constexpr uint8_t reflected_bit = 0x01;     // CTRLPF
inline constexpr uint8_t score_bit = 0x02;         // CTRLPF: the playfield takes players' colours
inline constexpr uint8_t priority_bit = 0x04;      // CTRLPF: playfield and ball are in front
inline constexpr uint8_t ball_size_bits = 0x30;    // CTRLPF
inline constexpr uint8_t on_bit = 0x02;            // VSYNC, ENAMx, ENABL, RESMPx
inline constexpr uint8_t delays_bit = 0x01;        // VDELPx, VDELBL
inline constexpr uint8_t mirrored_bit = 0x08;      // REFPx
inline constexpr uint8_t copy_mode_bits = 0x07;    // NUSIZx

// A line: 68 clocks without picture, then 160 pixels.
inline constexpr int line_clocks = 228;
inline constexpr int blank_clocks = 68;
inline constexpr int line_pixels = 160;
inline constexpr int line_cycles = 76;
// HMOVE lengthens the horizontal blank by as much: the "HMOVE comb".
inline constexpr int hmove_blank_pixels = 8;

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_REGISTERS_HPP_
