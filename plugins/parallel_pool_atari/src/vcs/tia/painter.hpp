// SPDX-License-Identifier: GPL-2.0-only
// Turns layers of masks into pixels. The same bytes come from each instruction set.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_PAINTER_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_PAINTER_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#include "../state.hpp"
#include "registers.hpp"

namespace pp::atari::vcs::tia {

// Colours one over the other, the furthest first, on a background. Masks are the caller's.
struct Layers {
  struct Layer {
    const LineMask* mask;
    uint8_t colour;
  };
  std::array<Layer, 5> layer;
  int count = 0;
  uint8_t background = 0;

  void add(const LineMask& mask, uint8_t colour) {
    layer[static_cast<size_t>(count)] = {&mask, colour};
    ++count;
  }
};

// Writes pixels [from, to) of a line of 160.
using Painter = void (*)(const Layers& layers, int from, int to, uint8_t* line);

enum class InstructionSet { scalar, avx2, avx512 };

bool available(InstructionSet set);
InstructionSet best_instruction_set();
// Called only for an available set.
Painter painter(InstructionSet set);

// Per pixel: all pixels before it.
constexpr std::array<LineMask, line_pixels + 1> pixels_before_table() {
  std::array<LineMask, line_pixels + 1> table{};
  for (size_t pixel = 0; pixel <= line_pixels; ++pixel) {
    for (size_t x = 0; x < pixel; ++x) table[pixel][x >> 6] |= uint64_t{1} << (x & 63U);
  }
  return table;
}
inline constexpr auto pixels_before = pixels_before_table();

// Pixels [from, to) of a line as a mask.
inline LineMask span_mask(int from, int to) {
  const LineMask& begin = pixels_before[static_cast<size_t>(from)];
  const LineMask& end = pixels_before[static_cast<size_t>(to)];
  return {end[0] & ~begin[0], end[1] & ~begin[1], end[2] & ~begin[2]};
}

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_PAINTER_HPP_
