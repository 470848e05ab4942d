// SPDX-License-Identifier: GPL-2.0-only
// A piece of a line along which no colour changes: its objects, their collisions and their pixels.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_SEGMENT_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_SEGMENT_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#include "objects.hpp"
#include "tia.hpp"

namespace pp::atari::vcs::tia {

// The objects of a piece of a line: which there are, and where.
struct Objects {
  unsigned enabled;
  const std::array<LineMask, object_count>& masks;
  bool has(Object object) const { return (enabled & bit(object)) != 0; }
};

// The latches that can be set by what is enabled.
extern const std::array<uint16_t, 64> reachable;

// Returns true if the objects can still do something that is seen: pixels, or latches that are
// still open.
inline bool is_seen(const TiaState& s, const Canvas& canvas) {
  const unsigned objects = s.enabled | unsigned{canvas.line->noted};
  return canvas.draw || (reachable[objects] & ~unsigned{s.collisions}) != 0;
}

// Sets latches, and draws pixels [from, to) if the canvas is drawn on.
void draw_objects(TiaState& s, const Canvas& canvas, const Objects& objects, int from, int to);

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_SEGMENT_HPP_
