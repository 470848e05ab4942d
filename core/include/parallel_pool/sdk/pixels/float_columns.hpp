// parallel_pool/sdk/pixels/float_columns.hpp: the second half of a resize with float weights: rows
// of sums become a row of pixels.
#ifndef PARALLEL_POOL_SDK_PIXELS_FLOAT_COLUMNS_HPP_
#define PARALLEL_POOL_SDK_PIXELS_FLOAT_COLUMNS_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pp::pixels {

inline void add_row(const float* row, float weight, bool first, float* sums, size_t count) {
  if (first) {
    for (size_t i = 0; i < count; ++i) sums[i] = row[i] * weight;
  } else {
    for (size_t i = 0; i < count; ++i) sums[i] += row[i] * weight;
  }
}

// `step`: from one sum to the next. Adding 1.5 * 2^23 leaves the value rounded half to even in the
// low bits of the float: the same as lrint for [0, 2^22), and a form that compilers vectorise
// everywhere.
inline void round_row(const float* sums, size_t step, uint8_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float shifted = sums[i * step] + 12582912.0F;
    uint32_t bits;
    std::memcpy(&bits, &shifted, sizeof(bits));
    out[i] = static_cast<uint8_t>(bits);
  }
}

}  // namespace pp::pixels
#endif  // PARALLEL_POOL_SDK_PIXELS_FLOAT_COLUMNS_HPP_
