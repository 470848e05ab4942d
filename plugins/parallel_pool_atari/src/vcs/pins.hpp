// SPDX-License-Identifier: GPL-2.0-only
// The voltages at the console's connectors during one frame: what the player and the switches do.
//
// Pins hold still while a frame is emulated, as they do in ALE.

#ifndef PARALLEL_POOL_ATARI_VCS_PINS_HPP_
#define PARALLEL_POOL_ATARI_VCS_PINS_HPP_

#include <array>
#include <cstdint>

namespace pp::atari::vcs {

// Tells how a paddle's capacitor charges. The comparator goes high `cycles` after the dump ended.
struct PaddleLine {
  enum Kind : uint32_t { shorted, open, charging };
  Kind kind = open;
  uint32_t cycles = 0;
};

struct Pins {
  uint8_t joysticks = 0xff;             // SWCHA: left stick in the high half; 0 is pressed
  uint8_t switches = 0xff;              // SWCHB
  std::array<bool, 2> triggers{};       // INPT4, INPT5: true is not pressed
  std::array<PaddleLine, 4> paddles{};  // INPT0 to INPT3
};
static_assert(sizeof(Pins) == 36, "no padding, for saved states are compared");

}  // namespace pp::atari::vcs

#endif  // PARALLEL_POOL_ATARI_VCS_PINS_HPP_
