#include "numeric/square.hpp"

#include <cmath>

#include "numeric/glibc.hpp"

namespace classic {
namespace {

#ifdef PP_CLASSIC_FAST_NUMERIC
// Glibc's error beyond one half, and a little.
constexpr double margin = 0.012;
// Smaller squares have rounding errors that are no normal numbers.
constexpr double least = 1e-280;
constexpr double greatest = 1e300;

// powf's error before it rounds, measured over all floats of this range, is below 0.0017 units in
// the last place of the result.
constexpr double float_margin = 0.006;
constexpr float float_least = 0x1p-10f;
constexpr float float_greatest = 0x1p10f;

PP_CLASSIC_INLINE void fast(uint32_t n, const double* __restrict value, double* __restrict square,
                            uint8_t* __restrict doubt) {
  for (uint32_t i = 0; i < n; ++i) {
    const double high = value[i] * value[i];
    const double low = __builtin_fma(value[i], value[i], -high);
    square[i] = high;
    doubt[i] = is_doubtful(high, low, margin) | !(high > least) | !(high < greatest);
  }
}

PP_CLASSIC_INLINE void fast_float(uint32_t n, const float* __restrict value,
                                  float* __restrict square, uint8_t* __restrict doubt) {
  for (uint32_t i = 0; i < n; ++i) {
    const double exact = static_cast<double>(value[i]) * static_cast<double>(value[i]);
    square[i] = static_cast<float>(exact);
    // The bits that a float32 has no room for, less one half of what they count up to.
    const auto cut = static_cast<int64_t>(bits_of(exact) & 0x1fffffffu) - 0x10000000;
    const auto room = static_cast<int64_t>(float_margin * 0x20000000);
    const bool outside =
        !(std::fabs(value[i]) >= float_least) | !(std::fabs(value[i]) <= float_greatest);
    doubt[i] = ((cut < room) & (cut > -room)) | outside;
  }
}

PP_CLASSIC_AVX2 void fast_avx2(uint32_t n, const double* value, double* square, uint8_t* doubt) {
  fast(n, value, square, doubt);
}
PP_CLASSIC_AVX512 void fast_avx512(uint32_t n, const double* value, double* square,
                                   uint8_t* doubt) {
  fast(n, value, square, doubt);
}
PP_CLASSIC_AVX2 void fast_float_avx2(uint32_t n, const float* value, float* square,
                                     uint8_t* doubt) {
  fast_float(n, value, square, doubt);
}
PP_CLASSIC_AVX512 void fast_float_avx512(uint32_t n, const float* value, float* square,
                                         uint8_t* doubt) {
  fast_float(n, value, square, doubt);
}

const Processor here = processor();
#endif

// Through volatile, or the compiler makes a product of it.
double glibc_square(double value) {
  volatile double two = 2.0;
  return std::pow(value, two);
}
float glibc_square(float value) {
  volatile float two = 2.0f;
  return std::pow(value, two);
}

}  // namespace

void squares(uint32_t n, const double* value, double* square, uint8_t* doubt) {
#ifdef PP_CLASSIC_FAST_NUMERIC
  if (here != Processor::other) {
    (here == Processor::avx512 ? fast_avx512 : fast_avx2)(n, value, square, doubt);
    settle(n, doubt, 1, [=](uint32_t i) { square[i] = glibc_square(value[i]); });
    return;
  }
#endif
  (void)doubt;
  for (uint32_t i = 0; i < n; ++i) square[i] = glibc_square(value[i]);
}

void float_squares(uint32_t n, const float* value, float* square, uint8_t* doubt) {
#ifdef PP_CLASSIC_FAST_NUMERIC
  if (here != Processor::other) {
    (here == Processor::avx512 ? fast_float_avx512 : fast_float_avx2)(n, value, square, doubt);
    settle(n, doubt, 1, [=](uint32_t i) { square[i] = glibc_square(value[i]); });
    return;
  }
#endif
  (void)doubt;
  for (uint32_t i = 0; i < n; ++i) square[i] = glibc_square(value[i]);
}

}  // namespace classic
