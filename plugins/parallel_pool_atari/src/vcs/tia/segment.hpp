// A piece of a line along which no colour changes: its objects, their collisions and their pixels.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_SEGMENT_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_SEGMENT_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#include "objects.hpp"
#include "tia.hpp"

namespace pp::atari::vcs::tia {

// Per pixel: all pixels before it.
constexpr std::array<LineMask, line_pixels + 1> pixels_before_table() {
  std::array<LineMask, line_pixels + 1> table{};
  for (size_t pixel = 0; pixel <= line_pixels; ++pixel) {
    for (size_t x = 0; x < pixel; ++x) table[pixel][x >> 6] |= uint64_t{1} << (x & 63U);
  }
  return table;
}
inline constexpr auto pixels_before = pixels_before_table();

// Pixels [from, to).
struct Span {
  const LineMask& from;
  const LineMask& to;
  Span(int first, int last)
      : from(pixels_before[static_cast<size_t>(first)]),
        to(pixels_before[static_cast<size_t>(last)]) {}
  uint64_t word(size_t w) const { return to[w] & ~from[w]; }
};

// The objects of a piece of a line: which there are, and where.
struct Objects {
  unsigned enabled;
  const std::array<LineMask, object_count>& masks;
  bool has(Object object) const { return (enabled & bit(object)) != 0; }
};

inline int lowest_bit(unsigned bits) {
  return __builtin_ctz(bits);
}

// Whether the objects can still do something that is seen: pixels, or latches that are still open.
bool is_seen(const TiaState& s, const Canvas& canvas);

// Sets latches, and draws pixels [from, to) if the canvas is drawn on.
void draw_objects(TiaState& s, const Canvas& canvas, const Objects& objects, int from, int to);

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_SEGMENT_HPP_
