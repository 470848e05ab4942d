// Sums of red, green and blue, side by side in a machine word: what the scale of a picture counts
// with.
#ifndef PARALLEL_POOL_BOX2D_PICTURE_CHANNELS_HPP_
#define PARALLEL_POOL_BOX2D_PICTURE_CHANNELS_HPP_

#include <cstdint>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "picture/canvas.hpp"

namespace box2d::picture {

// Three numbers below 65536.
class Channels {
 public:
  Channels() = default;
  Channels(uint64_t red, uint64_t green, uint64_t blue) : sum_(blue | green << 16 | red << 32) {}
  explicit Channels(Colour colour)
      : Channels(colour >> 16 & 255, colour >> 8 & 255, colour & 255) {}
  // The sum of count pixels, a multiple of 4 and at most 256, each with its mask.
  Channels(const Colour* pixels, const Colour* masks, size_t count) {
#if defined(__x86_64__)
    const __m128i zero = _mm_setzero_si128();
    __m128i sums = zero;
    for (size_t i = 0; i < count; i += 4) {
      const __m128i four =
          _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(pixels + i)),
                        _mm_loadu_si128(reinterpret_cast<const __m128i*>(masks + i)));
      sums = _mm_add_epi16(sums, _mm_unpacklo_epi8(four, zero));
      sums = _mm_add_epi16(sums, _mm_unpackhi_epi8(four, zero));
    }
    sums = _mm_add_epi16(sums, _mm_srli_si128(sums, 8));
    sum_ = static_cast<uint64_t>(_mm_cvtsi128_si64(sums));
#else
    for (size_t i = 0; i < count; ++i) *this += Channels(pixels[i] & masks[i]);
#endif
  }

  Channels& operator+=(Channels other) {
    sum_ += other.sum_;
    return *this;
  }
  Channels operator*(uint32_t factor) const { return of(sum_ * factor); }
  // Returns (number * factor) >> bits for each channel; the products are below 2**32.
  Channels scaled(uint32_t factor, int bits) const {
    const uint64_t red_blue = (sum_ & both) * factor >> bits & both;
    const uint64_t green = (sum_ >> 16 & 0xFFFF) * factor >> bits;
    return of(red_blue | green << 16);
  }

  void write(uint8_t* rgb) const {
    rgb[0] = static_cast<uint8_t>(sum_ >> 32);
    rgb[1] = static_cast<uint8_t>(sum_ >> 16);
    rgb[2] = static_cast<uint8_t>(sum_);
  }
  bool operator==(Channels other) const { return sum_ == other.sum_; }

 private:
  static constexpr uint64_t both = 0x0000FFFF0000FFFF;

  static Channels of(uint64_t sum) {
    Channels result;
    result.sum_ = sum;
    return result;
  }

  uint64_t sum_ = 0;
};

}  // namespace box2d::picture

#endif
