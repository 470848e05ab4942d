#include "sincos.hpp"

#include <cmath>
#include <cstring>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__)
#define PP_CLASSIC_FAST_SINCOS 1
#endif

namespace classic {

void sincos_reference(uint32_t n, const double* angle, double* sine, double* cosine) {
  for (uint32_t i = 0; i < n; ++i) {
    // From a local: the compiler then makes one call of sincos of both, which has the same results.
    const double x = angle[i];
    sine[i] = std::sin(x);
    cosine[i] = std::cos(x);
  }
}

#ifdef PP_CLASSIC_FAST_SINCOS
namespace {

// Beyond, the series below would need more terms.
constexpr double range = 0.3;

// How near to a middle between doubles, in units in the last place, is too near: glibc's error
// beyond one half, this function's own, and as much again.
constexpr double sine_margin = 0.035;
constexpr double cosine_margin = 0.01;
// This function's own error of the sine grows with the cubic term: its roundings are at most 4.5 *
// 2^-53 of x^3 / 6, which is 0.8 x^2 units in the last place of x.
constexpr double sine_margin_slope = 0.8;

inline uint64_t bits_of(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
// 2^-52 times the power of two below |value|: the unit in the last place; 0 for 0.
inline double unit_of(double value) {
  const uint64_t exponent = bits_of(value) & 0x7ff0000000000000u;
  double power;
  std::memcpy(&power, &exponent, sizeof power);
  return power * 0x1p-52;
}
// Whether high + low rounds to `high` with so much room that glibc must say so too. A power of two
// is doubtful: its neighbours are not equally far.
inline bool is_doubtful(double high, double low, double margin) {
  const bool near_middle = !(std::fabs(low) < unit_of(high) * (0.5 - margin));
  return near_middle | ((bits_of(high) & 0x000fffffffffffffu) == 0);
}

__attribute__((always_inline)) inline void fast(uint32_t n, const double* __restrict angle,
                                                double* __restrict sine, double* __restrict cosine,
                                                uint8_t* __restrict doubtful) {
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

__attribute__((target("avx2,fma"))) void fast_avx2(uint32_t n, const double* angle, double* sine,
                                                   double* cosine, uint8_t* doubtful) {
  fast(n, angle, sine, cosine, doubtful);
}

__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,prefer-vector-width=512"))) void
fast_avx512(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubtful) {
  fast(n, angle, sine, cosine, doubtful);
}

using Fast = void (*)(uint32_t, const double*, double*, double*, uint8_t*);

Fast choose() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
    return fast_avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return fast_avx2;
  return nullptr;
}

const Fast chosen = choose();

}  // namespace

void sincos(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubtful) {
  if (chosen == nullptr) return sincos_reference(n, angle, sine, cosine);
  chosen(n, angle, sine, cosine, doubtful);
  uint32_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t eight;
    std::memcpy(&eight, doubtful + i, sizeof eight);
    while (eight != 0) {  // little-endian: the lowest byte is the first angle
      const uint32_t which = i + static_cast<uint32_t>(__builtin_ctzll(eight)) / 8;
      sincos_reference(1, angle + which, sine + which, cosine + which);
      eight &= eight - 1;
    }
  }
  for (; i < n; ++i) {
    if (doubtful[i] != 0) sincos_reference(1, angle + i, sine + i, cosine + i);
  }
}
#else
void sincos(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t*) {
  sincos_reference(n, angle, sine, cosine);
}
#endif

}  // namespace classic
