// Turns layers of masks into pixels. The same bytes come from each instruction set.

#ifndef PARALLEL_POOL_ATARI_VCS_TIA_PAINTER_HPP_
#define PARALLEL_POOL_ATARI_VCS_TIA_PAINTER_HPP_

#include <array>
#include <cstddef>
#include <cstdint>

#include "../state.hpp"

namespace pp::atari::vcs::tia {

// Colours one over the other, the furthest first, on a background.
struct Layers {
  struct Layer {
    LineMask mask;
    uint8_t colour;
  };
  std::array<Layer, 5> layer;
  int count = 0;
  uint8_t background = 0;

  void add(const LineMask& mask, uint8_t colour) {
    layer[static_cast<size_t>(count)] = {mask, colour};
    ++count;
  }
};

// Writes pixels [from, to) of a line of 160.
using Painter = void (*)(const Layers& layers, int from, int to, uint8_t* line);

enum class InstructionSet { scalar, avx2, avx512 };

bool available(InstructionSet set);
InstructionSet best_instruction_set();
// Only for an available set.
Painter painter(InstructionSet set);

// Pixels [from, to) of a line as a mask.
inline LineMask span_mask(int from, int to) {
  LineMask mask;
  for (int w = 0; w < 3; ++w) {
    const auto below = [w](int pixel) {
      const int bits = pixel - 64 * w;
      return bits <= 0 ? 0 : bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    };
    mask[static_cast<size_t>(w)] = below(to) & ~below(from);
  }
  return mask;
}

}  // namespace pp::atari::vcs::tia

#endif  // PARALLEL_POOL_ATARI_VCS_TIA_PAINTER_HPP_
