// Sums of red, green and blue, side by side in machine words: what the scale of a picture counts
// with.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_CHANNELS_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_CHANNELS_HPP_

#include <cstdint>
#include <cstring>

#include "picture/canvas.hpp"

namespace box2d::picture {

// Each below 65536.
struct Channels {
  uint64_t red_blue = 0;  // in 32 bits each
  uint64_t green = 0;

  static constexpr uint64_t both = 0x0000FFFF0000FFFF;

  static Channels of(Colour colour) {
    return {(colour & 255) | static_cast<uint64_t>(colour >> 16 & 255) << 32, colour >> 8 & 255};
  }
  // The sum of count pixels, at most 128.
  static Channels of(const Colour* pixels, int count) {
    constexpr uint64_t every_second = 0x00FF00FF00FF00FF;
    uint64_t red_blue = 0;
    uint64_t green = 0;
    int i = 0;
    for (; i + 2 <= count; i += 2) {
      uint64_t two;
      std::memcpy(&two, pixels + i, sizeof two);
      red_blue += two & every_second;
      green += two >> 8 & every_second;
    }
    red_blue += red_blue >> 32;
    green += green >> 32;
    Channels sum{(red_blue & 0xFFFF) | (red_blue >> 16 & 0xFFFF) << 32, green & 0xFFFF};
    if (i < count) sum += of(pixels[i]);
    return sum;
  }

  Channels& operator+=(Channels other) {
    red_blue += other.red_blue;
    green += other.green;
    return *this;
  }
  Channels operator*(uint32_t factor) const { return {red_blue * factor, green * factor}; }
  // Products of less than 32 bits, rounded down to 16.
  Channels operator>>(int bits) const { return {red_blue >> bits & both, green >> bits & 0xFFFF}; }

  void write(uint8_t* rgb) const {
    rgb[0] = static_cast<uint8_t>(red_blue >> 32);
    rgb[1] = static_cast<uint8_t>(green);
    rgb[2] = static_cast<uint8_t>(red_blue);
  }
};

}  // namespace box2d::picture

#endif
