#include "picture/smooth_scale.hpp"

#include <algorithm>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace box2d::picture {
namespace {

constexpr uint32_t one = 0x4000;
constexpr size_t channels = 4;

uint32_t part(uint32_t value, uint32_t weight) {
  return (value * weight) >> 14;
}

}  // namespace

SmoothScale::SmoothScale(int width, int height, int new_width, int new_height)
    : width_(width),
      new_width_(new_width),
      across_(axis(width, new_width)),
      down_(axis(height, new_height)),
      row_(static_cast<size_t>(new_width) * channels),
      sums_(static_cast<size_t>(new_width) * channels) {}

SmoothScale::Axis SmoothScale::axis(int size, int new_size) {
  Axis result;
  const uint32_t length = one * static_cast<uint32_t>(size) / static_cast<uint32_t>(new_size);
  result.reciprocal = 0x40000000U / length;
  uint32_t left = length;
  Area area{0, 0, 0, 0};
  for (int i = 0; i < size; ++i) {
    if (left > one) {
      left -= one;
      continue;
    }
    area.last = i;
    area.last_weight = left;
    result.areas.push_back(area);
    const uint32_t rest = one - left;
    area = {i, 0, rest, 0};
    left = length - rest;
    if (rest == 0) area = {i + 1, 0, 0, 0};
  }
  result.areas.resize(static_cast<size_t>(new_size));
  return result;
}

#if defined(__SSE2__)

void SmoothScale::shrink_row(const Colour* row, uint16_t* out) const {
  const __m128i zero = _mm_setzero_si128();
  const __m128i reciprocal = _mm_set1_epi16(static_cast<int16_t>(across_.reciprocal));
  const auto pixel = [&](int i) {
    return _mm_unpacklo_epi8(_mm_cvtsi32_si128(static_cast<int>(row[i])), zero);
  };
  // Four times the value, so that the upper 16 bits of the product are those of 14-bit weights.
  const auto share = [&](int i, uint32_t weight) {
    return _mm_mulhi_epu16(_mm_slli_epi16(pixel(i), 2),
                           _mm_set1_epi16(static_cast<int16_t>(weight)));
  };
  for (const Area& area : across_.areas) {
    __m128i sum = share(area.last, area.last_weight);
    int i = area.first;
    if (area.first_weight != 0) sum = _mm_add_epi16(sum, share(i++, area.first_weight));
    for (; i + 4 <= area.last; i += 4) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + i));
      sum = _mm_add_epi16(sum, _mm_unpacklo_epi8(four, zero));
      sum = _mm_add_epi16(sum, _mm_unpackhi_epi8(four, zero));
    }
    for (; i < area.last; ++i) sum = _mm_add_epi16(sum, pixel(i));
    sum = _mm_add_epi16(sum, _mm_srli_si128(sum, 8));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_mulhi_epu16(sum, reciprocal));
    out += channels;
  }
}

#else

void SmoothScale::shrink_row(const Colour* row, uint16_t* out) const {
  for (const Area& area : across_.areas) {
    for (size_t channel = 0; channel < channels; ++channel) {
      const auto value = [&](int i) { return row[i] >> (8 * channel) & 255; };
      uint32_t sum = part(value(area.last), area.last_weight);
      int i = area.first;
      if (area.first_weight != 0) sum += part(value(i++), area.first_weight);
      for (; i < area.last; ++i) sum += value(i);
      *out++ = static_cast<uint16_t>(sum * across_.reciprocal >> 16);
    }
  }
}

#endif

void SmoothScale::operator()(const Colour* pixels, uint8_t* rgb) {
  const size_t n = row_.size();
  std::fill(sums_.begin(), sums_.end(), uint16_t{0});
  int y = 0;
  for (const Area& area : down_.areas) {
    for (; y < area.last; ++y) {
      shrink_row(pixels + static_cast<ptrdiff_t>(y) * width_, row_.data());
      for (size_t i = 0; i < n; ++i) sums_[i] = static_cast<uint16_t>(sums_[i] + row_[i]);
    }
    shrink_row(pixels + static_cast<ptrdiff_t>(y++) * width_, row_.data());
    const uint32_t weight = area.last_weight;
    for (size_t i = 0; i < n; i += channels) {
      for (size_t channel : {2, 1, 0}) {
        const uint32_t sum = sums_[i + channel] + part(row_[i + channel], weight);
        *rgb++ = static_cast<uint8_t>(sum * down_.reciprocal >> 16);
      }
    }
    for (size_t i = 0; i < n; ++i) sums_[i] = static_cast<uint16_t>(part(row_[i], one - weight));
  }
}

}  // namespace box2d::picture
