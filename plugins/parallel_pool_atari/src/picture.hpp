// SPDX-License-Identifier: GPL-2.0-only
// The screen in colour, as ALE's getScreenRGB gives it: what `render()` shows.
#ifndef PARALLEL_POOL_ATARI_PICTURE_HPP_
#define PARALLEL_POOL_ATARI_PICTURE_HPP_

#include <cstddef>
#include <cstdint>

#include "emulator.hpp"
#include "parallel_pool/env.hpp"

namespace pp::atari {

inline FrameSize picture_size(const Emulator& emulator) {
  return {static_cast<uint32_t>(emulator.screen_height()), screen_width};
}

// The last frame, which is always drawn: red, green, blue for each pixel.
inline void draw_picture(const Emulator& emulator, uint8_t* rgb) {
  const auto& colour = emulator.palette().rgb;
  const uint8_t* screen = emulator.screen();
  const auto n = static_cast<size_t>(emulator.screen_height()) * screen_width;
  for (size_t i = 0; i < n; ++i) {
    for (size_t plane = 0; plane < 3; ++plane) *rgb++ = colour[plane][screen[i]];
  }
}

}  // namespace pp::atari

#endif  // PARALLEL_POOL_ATARI_PICTURE_HPP_
