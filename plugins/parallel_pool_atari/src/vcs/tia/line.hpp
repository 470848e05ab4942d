// SPDX-License-Identifier: GPL-2.0-only
// The part of the current line that the beam has passed and that is not drawn yet.
//
// It lives as long as a call that runs the machine: between calls everything is drawn.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_LINE_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_LINE_HPP_

#include <array>
#include <cstdint>

#include "../state.hpp"

namespace pp::atari::vcs::tia {

struct Line {
  int begin = 0;  // the pixel up to which everything is drawn
  // Per object: the pixel from which on it is as it is now, and what was noted of it before. Both
  // only count from `begin` on.
  std::array<uint8_t, 8> from{};
  std::array<LineMask, object_count> before{};
  uint8_t noted = 0;     // bit per object: something was
  bool changed = false;  // an object did since `begin`

  void start_at(int pixel) {
    begin = pixel;
    from.fill(static_cast<uint8_t>(pixel));
    noted = 0;
    changed = false;
  }
};

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_LINE_HPP_
