// SPDX-License-Identifier: GPL-2.0-only
// Where the objects' pixels are on a line, as masks of 160 bits.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_OBJECTS_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_OBJECTS_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#include "../state.hpp"

namespace pp::atari::vcs::tia {

constexpr uint8_t bit(int object) {
  return static_cast<uint8_t>(1U << object);
}

// Copies of a player or missile, by the low three bits of NUSIZx: how many and how far to the
// right.
struct Copies {
  int count;
  std::array<uint8_t, 3> offset;
  int stretch;  // pixels per bit of a player
};

inline constexpr std::array<Copies, 8> copies_by_mode{{
    {1, {0, 0, 0}, 1},
    {2, {0, 16, 0}, 1},
    {2, {0, 32, 0}, 1},
    {3, {0, 16, 32}, 1},
    {2, {0, 64, 0}, 1},
    {1, {0, 0, 0}, 2},
    {3, {0, 32, 64}, 1},
    {1, {0, 0, 0}, 4},
}};

// The byte with its bits in the other order: graphics put bit 7 leftmost, masks bit 0.
constexpr std::array<uint8_t, 256> mirror_table() {
  std::array<uint8_t, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    unsigned mirrored = 0;
    for (unsigned bit = 0; bit < 8; ++bit) mirrored |= ((i >> bit) & 1U) << (7 - bit);
    table[i] = static_cast<uint8_t>(mirrored);
  }
  return table;
}
inline constexpr std::array<uint8_t, 256> mirror = mirror_table();

// The copy that RESPx finds where it puts the player: one that is being started or drawn, or none.
enum class Meets : int8_t {
  start = -1,   // the four clocks in which a copy is being started: all copies are drawn
  nothing = 0,  // the first copy is not drawn on this line
  copy = 1,     // a copy is being drawn, and goes on; the new first one is not drawn
};
// By the low bits of NUSIZx and how far the new position is to the right of the old one.
extern const std::array<std::array<Meets, 160>, 8> meets_by_mode;

// Returns the pixels that player `p` would have if all bits of its graphics were set.
LineMask player_extent(const TiaState& s, size_t p);

// A player's first copy is drawn again: RESPx hides it until the line ends, or HMOVE.
inline void show_first_copies(TiaState& s) {
  if ((s.first_hidden[0] | s.first_hidden[1]) == 0) return;
  for (size_t p = 0; p < 2; ++p) {
    if (s.first_hidden[p] != 0) s.stale |= static_cast<uint8_t>(bit(Object::player0) << p);
    s.first_hidden[p] = 0;
  }
}

// Returns the mask of the object as it is now, also where the kept mask is stale.
LineMask mask_of(const TiaState& s, Object object);

inline int lowest_bit(unsigned bits) {
  return __builtin_ctz(bits);
}

// Makes those masks again that are stale, of the objects whose bits are set in `which`.
void refresh_masks(TiaState& s, unsigned which);

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_OBJECTS_HPP_
