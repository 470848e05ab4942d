// SPDX-License-Identifier: GPL-2.0-only
// Reads a TIA register.

#include <algorithm>

#include "tia.hpp"

namespace pp::atari::vcs::tia {
namespace {

constexpr uint8_t d7 = 0x80;
constexpr uint8_t d6 = 0x40;

bool paddle_is_high(const TiaState& s, const PaddleLine& line, uint32_t cycles) {
  if (line.kind == PaddleLine::shorted) return true;
  if (line.kind == PaddleLine::open || s.paddles_dumped != 0) return false;
  // Unsigned, as in Stella: a dump that ended in the last frame lies at a huge cycle.
  return cycles > static_cast<uint32_t>(s.dump_off_cycle) + line.cycles;
}

}  // namespace

uint8_t read(TiaState& s, const Canvas& canvas, const Pins& pins, uint16_t address, uint8_t bus,
             uint32_t cycles) {
  const unsigned port = address & read_lines;
  // A program that runs in the TIA's registers fetches at the clock of the write before it, which
  // may have drawn beyond.
  if (port <= CXPPMM || canvas.eager) {
    catch_up(s, canvas, std::max(clock_of(cycles), s.ahead));
    draw_line(s, canvas);
  }
  uint8_t driven = 0;
  if (port <= CXPPMM) {
    // Two latches to a register, but CXBLPF has one.
    const unsigned shift = port == CXPPMM ? 13 : 2 * port;
    const unsigned latches = s.collisions >> shift;
    if ((latches & 1) != 0) driven |= d7;
    if ((latches & 2) != 0 && port != CXBLPF) driven |= d6;
  } else if (port <= INPT3) {
    if (paddle_is_high(s, pins.paddles[port - INPT0], cycles)) driven = d7;
  } else if (port <= INPT5) {
    if (pins.triggers[port - INPT4]) driven = d7;
  }
  return driven | (bus & 0x3f);
}

}  // namespace pp::atari::vcs::tia
