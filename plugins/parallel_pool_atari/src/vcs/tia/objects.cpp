// SPDX-License-Identifier: GPL-2.0-only
#include "objects.hpp"

#include "registers.hpp"

namespace pp::atari::vcs::tia {
namespace {

constexpr int start_clocks = 4;  // from a player's reset to its first pixel

constexpr std::array<std::array<Meets, 160>, 8> meets_table() {
  std::array<std::array<Meets, 160>, 8> table{};
  for (size_t mode = 0; mode < 8; ++mode) {
    const Copies& copies = copies_by_mode[mode];
    for (int distance = 0; distance < 160; ++distance) {
      Meets meets = Meets::nothing;
      for (int k = 0; k < copies.count; ++k) {
        const int into = distance - copies.offset[static_cast<size_t>(k)];
        if (into >= 0 && into < start_clocks) meets = Meets::start;
        if (into >= start_clocks && into < start_clocks + 8 * copies.stretch) meets = Meets::copy;
      }
      table[mode][static_cast<size_t>(distance)] = meets;
    }
  }
  return table;
}

// Every bit of a byte `times` times in a row.
template <int Times>
constexpr std::array<uint32_t, 256> stretch_table() {
  std::array<uint32_t, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    uint32_t wide = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((i >> bit & 1U) != 0) wide |= ((1U << Times) - 1) << (Times * bit);
    }
    table[i] = wide;
  }
  return table;
}
constexpr std::array<uint32_t, 256> twice = stretch_table<2>();
constexpr std::array<uint32_t, 256> four_times = stretch_table<4>();

// Up to 128 bits of a pattern put at `position`, going on at the left edge beyond the right one.
inline LineMask place(uint64_t low, uint64_t high, int position) {
  const int shift = position & 63;
  // In two steps, because a shift by 64 would not be one by 0.
  const uint64_t w0 = low << shift;
  const uint64_t w1 = ((low >> 1) >> (63 - shift)) | (high << shift);
  const uint64_t w2 = (high >> 1) >> (63 - shift);
  // The first word at `position`; what reaches beyond 160 pixels is at the left edge.
  switch (position >> 6) {
    case 0:
      return {w0 | w2 >> 32, w1, w2 & 0xffffffffU};
    case 1:
      return {w1 >> 32 | w2 << 32, w0 | w2 >> 32, w1 & 0xffffffffU};
    default:
      return {w0 >> 32 | w1 << 32, w1 >> 32, w0 & 0xffffffffU};
  }
}

// The factors by which a pattern becomes its copies, in the first 64 pixels and in the next: copies
// do not overlap.
struct Multiples {
  uint64_t low = 0, high = 0;
};
// By the first copy that is shown, and the mode.
constexpr std::array<std::array<Multiples, 8>, 2> multiples_table() {
  std::array<std::array<Multiples, 8>, 2> table{};
  for (size_t first = 0; first < 2; ++first) {
    for (size_t mode = 0; mode < 8; ++mode) {
      Multiples& multiples = table[first][mode];
      for (int k = static_cast<int>(first); k < copies_by_mode[mode].count; ++k) {
        const int offset = copies_by_mode[mode].offset[static_cast<size_t>(k)];
        (offset < 64 ? multiples.low : multiples.high) |= uint64_t{1} << (offset & 63);
      }
    }
  }
  return table;
}
constexpr std::array<std::array<Multiples, 8>, 2> multiples_by_mode = multiples_table();

inline LineMask place_copies(uint64_t pattern, unsigned mode, unsigned first, int position) {
  const Multiples& multiples = multiples_by_mode[first][mode];
  return place(pattern * multiples.low, pattern * multiples.high, position);
}

LineMask player_mask(const TiaState& s, size_t p, uint8_t graphics) {
  const unsigned mode = s.nusiz[p] & copy_mode_bits;
  const unsigned first = s.first_hidden[p] != 0 ? 1 : 0;
  uint64_t pattern = graphics;
  // Wide players begin one pixel later.
  const int stretch = copies_by_mode[mode].stretch;
  if (stretch == 2) pattern = uint64_t{twice[graphics]} << 1;
  if (stretch == 4) pattern = uint64_t{four_times[graphics]} << 1;
  return place_copies(pattern, mode, first, s.position[Object::player0 + p]);
}

LineMask missile_mask(const TiaState& s, size_t p) {
  unsigned size = s.nusiz[p] >> 4 & 3U;
  if (p == 0 && s.missile0_shape == MissileShape::hidden) return {};
  if (p == 0 && s.missile0_shape == MissileShape::stretched) size |= 1;
  const uint64_t pattern = (1U << (1U << size)) - 1;
  return place_copies(pattern, s.nusiz[p] & copy_mode_bits, 0, s.position[Object::missile0 + p]);
}

LineMask ball_mask(const TiaState& s) {
  const unsigned size = s.ctrlpf >> 4 & 3U;
  return place((1U << (1U << size)) - 1, 0, s.position[Object::ball]);
}

LineMask playfield_mask(const TiaState& s) {
  // Twenty bits, leftmost first: PF0's high half forwards, PF1 backwards, PF2 forwards.
  const unsigned left = s.pf[0] | unsigned{mirror[s.pf[1]]} << 4 | unsigned{s.pf[2]} << 12;
  unsigned right = left;
  if (s.reflected != 0) {
    right = mirror[left >> 12] | unsigned{mirror[left >> 4 & 0xffU]} << 8 |
            unsigned{mirror[left & 15U]} >> 4 << 16;
  }
  const auto wide = [](unsigned half) {  // its first 16 bits; four pixels to each
    return four_times[half & 0xffU] | uint64_t{four_times[half >> 8 & 0xffU]} << 32;
  };
  const uint64_t left_rest = four_times[left >> 16];
  const uint64_t right_wide = wide(right);
  const uint64_t right_rest = four_times[right >> 16];
  return {wide(left), left_rest | right_wide << 16, right_wide >> 48 | right_rest << 16};
}

}  // namespace

const std::array<std::array<Meets, 160>, 8> meets_by_mode = meets_table();

LineMask player_extent(const TiaState& s, size_t p) {
  return player_mask(s, p, 0xff);
}

LineMask mask_of(const TiaState& s, Object object) {
  switch (object) {
    case Object::player0:
    case Object::player1: {
      const auto p = static_cast<size_t>(object - Object::player0);
      return player_mask(s, p, mirror[s.shown_grp[p]]);
    }
    case Object::playfield:
      return playfield_mask(s);
    case Object::ball:
      return ball_mask(s);
    default:
      return missile_mask(s, static_cast<size_t>(object - Object::missile0));
  }
}

void refresh_masks(TiaState& s, unsigned which) {
  const unsigned due = s.stale & which;
  s.stale = static_cast<uint8_t>(s.stale & ~due);
  for (unsigned left = due; left != 0; left &= left - 1) {
    const auto object = static_cast<Object>(lowest_bit(left));
    s.masks[object] = mask_of(s, object);
  }
}

}  // namespace pp::atari::vcs::tia
