#include "numeric/sincos.hpp"

#include <cmath>

#include "numeric/glibc.hpp"

namespace classic {

void sincos_reference(uint32_t n, const double* angle, double* sine, double* cosine) {
  for (uint32_t i = 0; i < n; ++i) {
    // From a local: the compiler then makes one call of sincos of both, which has the same results.
    const double x = angle[i];
    sine[i] = std::sin(x);
    cosine[i] = std::cos(x);
  }
}

#ifdef PP_CLASSIC_FAST_NUMERIC
namespace {

// Beyond, the series below would need more terms.
constexpr double range = 0.3;

// The distance from a middle between doubles, in units in the last place, below which a result is
// doubtful: glibc's error beyond one half, this function's own, and as much again.
constexpr double sine_margin = 0.035;
constexpr double cosine_margin = 0.01;
// This function's own error of the sine grows with the cubic term: its roundings are at most 4.5 *
// 2^-53 of x^3 / 6, which is 0.8 x^2 units in the last place of x.
constexpr double sine_margin_slope = 0.8;

PP_CLASSIC_INLINE void fast(uint32_t n, const double* __restrict angle, double* __restrict sine,
                            double* __restrict cosine, uint8_t* __restrict doubtful) {
  for (uint32_t i = 0; i < n; ++i) {
    const double x = angle[i];
    const double z = x * x;
    const double z_low = __builtin_fma(x, x, -z);

    // sin x = x + x^3 (-1/3! + x^2/5! - ... + x^10/13!): the sum's rounding error is kept.
    double series = 1.0 / 6227020800.0;
    series = series * z - 1.0 / 39916800.0;
    series = series * z + 1.0 / 362880.0;
    series = series * z - 1.0 / 5040.0;
    series = series * z + 1.0 / 120.0;
    series = series * z - 1.0 / 6.0;
    const double rest = x * z * series;
    const double high = x + rest;
    const double low = rest - (high - x);

    // cos x = (1 - x^2/2) + x^4 (1/4! - x^2/6! + ...), with the part of x^2 that z lost.
    double even = -1.0 / 87178291200.0;
    even = even * z + 1.0 / 479001600.0;
    even = even * z - 1.0 / 3628800.0;
    even = even * z + 1.0 / 40320.0;
    even = even * z - 1.0 / 720.0;
    even = even * z + 1.0 / 24.0;
    const double half = 0.5 * z;
    const double first = 1.0 - half;
    const double lost = (1.0 - first) - half;
    const double tail = lost + (z * z * even - 0.5 * z_low);
    const double even_high = first + tail;
    const double even_low = tail - (even_high - first);

    sine[i] = high;
    cosine[i] = even_high;
    const bool outside = !(std::fabs(x) <= range);
    doubtful[i] = outside | is_doubtful(high, low, sine_margin + sine_margin_slope * z) |
                  is_doubtful(even_high, even_low, cosine_margin);
  }
}

PP_CLASSIC_AVX2 void fast_avx2(uint32_t n, const double* angle, double* sine, double* cosine,
                               uint8_t* doubtful) {
  fast(n, angle, sine, cosine, doubtful);
}
PP_CLASSIC_AVX512 void fast_avx512(uint32_t n, const double* angle, double* sine, double* cosine,
                                   uint8_t* doubtful) {
  fast(n, angle, sine, cosine, doubtful);
}

using Fast = void (*)(uint32_t, const double*, double*, double*, uint8_t*);
const Fast chosen = for_processor<Fast>(fast_avx512, fast_avx2, nullptr);

}  // namespace

void sincos(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubtful) {
  if (chosen == nullptr) return sincos_reference(n, angle, sine, cosine);
  chosen(n, angle, sine, cosine, doubtful);
  settle(n, doubtful, 1, [=](uint32_t i) { sincos_reference(1, angle + i, sine + i, cosine + i); });
}
#else
void sincos(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t*) {
  sincos_reference(n, angle, sine, cosine);
}
#endif

}  // namespace classic
