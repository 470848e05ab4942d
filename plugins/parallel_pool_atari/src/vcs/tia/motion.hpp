// SPDX-License-Identifier: GPL-2.0-only
// The distance that HMOVE moves an object, by the cycle of the line in which it is strobed.
//
// HMOVE sends an object up to 15 extra clock pulses, one every four colour clocks, each of which
// moves it one pixel to the left; it stops at (HMxx ^ 8) pulses. In the horizontal blank eight of
// them only make up for the blank's eight longer pixels. Pulses outside of the blank do nothing, as
// the object is being clocked there anyway. So a strobe early in the line moves an object by
// 8 - pulses; a later one loses the pulses that come after the blank; and one near the end of the
// line begins in the visible part, and moves by the pulses that reach the next blank.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_MOTION_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_MOTION_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "registers.hpp"

namespace pp::atari::vcs::tia {

inline constexpr int last_blank_cycle = 20;  // a later strobe of HMOVE leaves the blank as it is

constexpr bool lengthens_blank(int cycle) {
  return cycle <= last_blank_cycle || cycle == line_cycles - 1;
}

// Returns the pixels to the right.
constexpr int motion(int cycle, int hm) {
  const int pulses = hm ^ 8;
  if (lengthens_blank(cycle)) {
    const int fit = cycle == line_cycles - 1 ? 15 : std::min(15, (70 - 3 * cycle) / 4);
    return 8 - std::min(pulses, fit);
  }
  const int lost = (222 - 3 * cycle) / 4;
  return pulses > lost ? lost - pulses : 0;
}

using MotionTable = std::array<std::array<int8_t, 16>, line_cycles>;

constexpr MotionTable motion_table() {
  MotionTable table{};
  for (int cycle = 0; cycle < line_cycles; ++cycle) {
    for (int hm = 0; hm < 16; ++hm) {
      table[static_cast<size_t>(cycle)][static_cast<size_t>(hm)] =
          static_cast<int8_t>(motion(cycle, hm));
    }
  }
  return table;
}

inline constexpr MotionTable motion_by_cycle = motion_table();

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_MOTION_HPP_
