#include "numeric/trigonometry.hpp"

namespace classic {
namespace {

void by_glibc(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubt) {
  for (uint32_t i = 0; i < n; ++i) {
    // From a local: the compiler then makes one call of sincos of both, which has the same results.
    const double x = angle[i];
    sine[i] = std::sin(x);
    cosine[i] = std::cos(x);
    doubt[i] = 0;
  }
}

void cosines_by_glibc(uint32_t n, const double* angle, double* cosine, uint8_t* doubt) {
  for (uint32_t i = 0; i < n; ++i) {
    cosine[i] = std::cos(angle[i]);
    doubt[i] = 0;
  }
}

#ifdef PP_CLASSIC_FAST_NUMERIC
// Beyond, products of the quarter turns with the parts of a quarter turn would be rounded.
constexpr double range = 1000.0;

// Half a quarter turn's worth of bits each, so that multiples are exact; the third is rounded.
constexpr double quarter_1 = 0x1.921fb544p+0;
constexpr double quarter_2 = 0x1.0b4611a6p-34;
constexpr double quarter_3 = 0x1.3198a2e037073p-69;
constexpr double quarters_per_radian = 0x1.45f306dc9c883p-1;
// Adding it leaves an integer in the lowest bits.
constexpr double rounder = 0x1.8p52;

// glibc's error beyond one half is 0.018; ours is at most 0.01, three roundings of the series' last
// term that is not kept in two doubles.
constexpr double margin = 0.028;
// Nearer to a multiple of a quarter turn the reduced angle has too few bits.
constexpr double tiny = 0x1p-30;

constexpr double third = -0x1.5555555555555p-3;  // -1/3! and what its double lacks
constexpr double third_low = -0x1.5555555555555p-57;
constexpr double fourth = 0x1.5555555555555p-5;  // 1/4!
constexpr double fourth_low = 0x1.5555555555555p-59;

// x = turns * pi / 2 + r + r_low, exactly but for the rounding of r_low.
struct Reduced {
  uint64_t turns;
  double r;
  double r_low;
};
PP_CLASSIC_INLINE Reduced reduce(double x) {
  const double shifted = x * quarters_per_radian + rounder;
  const double k = shifted - rounder;
  const double r_1 = __builtin_fma(-k, quarter_1, x);
  const double less = -(k * quarter_2);
  const double r_2 = r_1 + less;
  const double back = r_2 - r_1;
  const double lost = (r_1 - (r_2 - back)) + (less - back);
  const double rest = lost - k * quarter_3;
  const double r = r_2 + rest;
  return {bits_of(shifted), r, rest - (r - r_2)};
}

PP_CLASSIC_INLINE void fast(uint32_t n, const double* __restrict angle, double* __restrict sine,
                            double* __restrict cosine, uint8_t* __restrict doubt) {
  for (uint32_t i = 0; i < n; ++i) {
    const double x = angle[i];

    const Reduced reduced = reduce(x);
    const uint64_t turns = reduced.turns;
    const double r = reduced.r;
    const double r_low = reduced.r_low;

    // r^2 and its rounding error.
    const double z = r * r;
    const double z_low = __builtin_fma(r, r, -z);

    // sin = r - r^3/3! + r^5 (1/5! - r^2/7! + ...) + r_low cos: all but the last in two doubles.
    double odd = 1.0 / 355687428096000.0;
    odd = __builtin_fma(odd, z, -1.0 / 1307674368000.0);
    odd = __builtin_fma(odd, z, 1.0 / 6227020800.0);
    odd = __builtin_fma(odd, z, -1.0 / 39916800.0);
    odd = __builtin_fma(odd, z, 1.0 / 362880.0);
    odd = __builtin_fma(odd, z, -1.0 / 5040.0);
    odd = __builtin_fma(odd, z, 1.0 / 120.0);
    const double cube = r * z;
    const double cube_low = __builtin_fma(r, z, -cube) + r * z_low;
    const double odd_2 = cube * third;
    const double odd_2_low =
        __builtin_fma(cube, third, -odd_2) + (cube * third_low + cube_low * third);
    const double odd_1 = r + odd_2;
    const double odd_tail =
        (odd_2 - (odd_1 - r)) +
        (odd_2_low + (cube * z * odd + r_low * (1.0 - z * (0.5 - z * (1.0 / 24.0)))));
    const double odd_high = odd_1 + odd_tail;
    const double odd_low = odd_tail - (odd_high - odd_1);

    // cos = 1 - r^2/2 + r^4/4! - r^6 (1/6! - r^2/8! + ...) - r_low sin.
    double even = -1.0 / 6402373705728000.0;
    even = __builtin_fma(even, z, 1.0 / 20922789888000.0);
    even = __builtin_fma(even, z, -1.0 / 87178291200.0);
    even = __builtin_fma(even, z, 1.0 / 479001600.0);
    even = __builtin_fma(even, z, -1.0 / 3628800.0);
    even = __builtin_fma(even, z, 1.0 / 40320.0);
    even = __builtin_fma(even, z, -1.0 / 720.0);
    const double square = z * z;
    const double square_low = __builtin_fma(z, z, -square) + 2.0 * z * z_low;
    const double even_2 = square * fourth;
    const double even_2_low =
        __builtin_fma(square, fourth, -even_2) + (square * fourth_low + square_low * fourth);
    const double half = 0.5 * z;
    const double even_0 = 1.0 - half;
    const double even_1 = even_0 + even_2;
    const double even_tail =
        ((1.0 - even_0) - half) + (even_2 - (even_1 - even_0)) +
        (even_2_low + (square * z * even - 0.5 * z_low - r_low * r * (1.0 - z * (1.0 / 6.0))));
    const double even_high = even_1 + even_tail;
    const double even_low = even_tail - (even_high - even_1);

    // Every quarter turn takes the one to the other.
    const bool swap = (turns & 1) != 0;
    // These are numbers, because with bools the compiler cannot choose one of two for several at a
    // time.
    const uint64_t outside = !(std::fabs(x) <= range) | (std::fabs(r) < tiny) ? 15u : 0u;
    const uint64_t odd_doubt = is_doubtful(odd_high, odd_low, margin) ? 3u : 0u;
    const uint64_t even_doubt = is_doubtful(even_high, even_low, margin) ? 3u : 0u;
    const double up = swap ? even_high : odd_high;
    const double along = swap ? odd_high : even_high;
    const double sine_value = (turns & 2) != 0 ? -up : up;
    const double cosine_value = ((turns + 1) & 2) != 0 ? -along : along;
    sine[i] = sine_value;
    cosine[i] = cosine_value;
    const uint64_t sine_doubt = (swap ? even_doubt : odd_doubt) & exact_sine;
    const uint64_t cosine_doubt = (swap ? odd_doubt : even_doubt) & exact_cosine;
    const uint64_t sine_bit = is_doubtful_float(sine_value) ? uint64_t{float_sine} : 0u;
    const uint64_t cosine_bit = is_doubtful_float(cosine_value) ? uint64_t{float_cosine} : 0u;
    doubt[i] = static_cast<uint8_t>(outside | sine_doubt | cosine_doubt | sine_bit | cosine_bit);
  }
}

// Within some units in the last place, which decides the float32 nearly always.
PP_CLASSIC_INLINE void fast_floats(uint32_t n, const double* __restrict angle,
                                   double* __restrict sine, double* __restrict cosine,
                                   uint8_t* __restrict doubt) {
  for (uint32_t i = 0; i < n; ++i) {
    const double x = angle[i];
    const double shifted = x * quarters_per_radian + rounder;
    const uint64_t turns = bits_of(shifted);
    const double k = shifted - rounder;
    const double r =
        __builtin_fma(-k, quarter_3, __builtin_fma(-k, quarter_2, __builtin_fma(-k, quarter_1, x)));
    const double z = r * r;
    double odd = 1.0 / 355687428096000.0;
    odd = __builtin_fma(odd, z, -1.0 / 1307674368000.0);
    odd = __builtin_fma(odd, z, 1.0 / 6227020800.0);
    odd = __builtin_fma(odd, z, -1.0 / 39916800.0);
    odd = __builtin_fma(odd, z, 1.0 / 362880.0);
    odd = __builtin_fma(odd, z, -1.0 / 5040.0);
    odd = __builtin_fma(odd, z, 1.0 / 120.0);
    odd = __builtin_fma(odd, z, -1.0 / 6.0);
    odd = __builtin_fma(odd, r * z, r);
    double even = 1.0 / 20922789888000.0;
    even = __builtin_fma(even, z, -1.0 / 87178291200.0);
    even = __builtin_fma(even, z, 1.0 / 479001600.0);
    even = __builtin_fma(even, z, -1.0 / 3628800.0);
    even = __builtin_fma(even, z, 1.0 / 40320.0);
    even = __builtin_fma(even, z, -1.0 / 720.0);
    even = __builtin_fma(even, z, 1.0 / 24.0);
    even = __builtin_fma(even, z, -0.5);
    even = __builtin_fma(even, z, 1.0);
    const bool swap = (turns & 1) != 0;
    const double up = swap ? even : odd;
    const double along = swap ? odd : even;
    const double sine_value = (turns & 2) != 0 ? -up : up;
    const double cosine_value = ((turns + 1) & 2) != 0 ? -along : along;
    sine[i] = sine_value;
    cosine[i] = cosine_value;
    const uint64_t outside = !(std::fabs(x) <= range) | (std::fabs(r) < tiny) ? 15u : 0u;
    const uint64_t sine_bit = is_doubtful_float(sine_value) ? uint64_t{float_sine} : 0u;
    const uint64_t cosine_bit = is_doubtful_float(cosine_value) ? uint64_t{float_cosine} : 0u;
    doubt[i] = static_cast<uint8_t>(outside | sine_bit | cosine_bit);
  }
}

// Computes cosines alone: each angle takes the one series or the other.
PP_CLASSIC_INLINE void fast_cosines(uint32_t n, const double* __restrict angle,
                                    double* __restrict cosine, uint8_t* __restrict doubt) {
  for (uint32_t i = 0; i < n; ++i) {
    const double x = angle[i];
    const Reduced reduced = reduce(x);
    const double r = reduced.r;
    const double r_low = reduced.r_low;
    const bool odd = (reduced.turns & 1) != 0;
    const double z = r * r;
    const double z_low = __builtin_fma(r, r, -z);

    double series = odd ? 1.0 / 355687428096000.0 : -1.0 / 6402373705728000.0;
    series = __builtin_fma(series, z, odd ? -1.0 / 1307674368000.0 : 1.0 / 20922789888000.0);
    series = __builtin_fma(series, z, odd ? 1.0 / 6227020800.0 : -1.0 / 87178291200.0);
    series = __builtin_fma(series, z, odd ? -1.0 / 39916800.0 : 1.0 / 479001600.0);
    series = __builtin_fma(series, z, odd ? 1.0 / 362880.0 : -1.0 / 3628800.0);
    series = __builtin_fma(series, z, odd ? -1.0 / 5040.0 : 1.0 / 40320.0);
    series = __builtin_fma(series, z, odd ? 1.0 / 120.0 : -1.0 / 720.0);
    // r^3 or r^4, times -1/3! or 1/4!, in two doubles.
    const double factor = odd ? r : z;
    const double power = factor * z;
    const double power_low = __builtin_fma(factor, z, -power) + (odd ? r : 2.0 * z) * z_low;
    const double second = odd ? third : fourth;
    const double second_low = odd ? third_low : fourth_low;
    const double term = power * second;
    const double term_low =
        __builtin_fma(power, second, -term) + (power * second_low + power_low * second);
    const double half = 0.5 * z;
    const double first = odd ? r : 1.0 - half;
    const double first_low = odd ? 0.0 : (1.0 - first) - half;
    const double last = odd ? r_low * (1.0 - z * (0.5 - z * (1.0 / 24.0)))
                            : -0.5 * z_low - r_low * r * (1.0 - z * (1.0 / 6.0));
    const double sum = first + term;
    const double tail =
        first_low + (term - (sum - first)) + (term_low + (power * z * series + last));
    const double high = sum + tail;
    const double low = tail - (high - sum);

    cosine[i] = ((reduced.turns + 1) & 2) != 0 ? -high : high;
    const uint64_t outside = !(std::fabs(x) <= range) | (std::fabs(r) < tiny) ? 15u : 0u;
    const uint64_t close = is_doubtful(high, low, margin) ? uint64_t{exact_cosine} : 0u;
    doubt[i] = static_cast<uint8_t>(outside | close);
  }
}

PP_CLASSIC_AVX2 void fast_avx2(uint32_t n, const double* angle, double* sine, double* cosine,
                               uint8_t* doubt) {
  fast(n, angle, sine, cosine, doubt);
}
PP_CLASSIC_AVX512 void fast_avx512(uint32_t n, const double* angle, double* sine, double* cosine,
                                   uint8_t* doubt) {
  fast(n, angle, sine, cosine, doubt);
}

PP_CLASSIC_AVX2 void floats_avx2(uint32_t n, const double* angle, double* sine, double* cosine,
                                 uint8_t* doubt) {
  fast_floats(n, angle, sine, cosine, doubt);
}
PP_CLASSIC_AVX512 void floats_avx512(uint32_t n, const double* angle, double* sine, double* cosine,
                                     uint8_t* doubt) {
  fast_floats(n, angle, sine, cosine, doubt);
}
PP_CLASSIC_AVX2 void cosines_avx2(uint32_t n, const double* angle, double* cosine, uint8_t* doubt) {
  fast_cosines(n, angle, cosine, doubt);
}
PP_CLASSIC_AVX512 void cosines_avx512(uint32_t n, const double* angle, double* cosine,
                                      uint8_t* doubt) {
  fast_cosines(n, angle, cosine, doubt);
}

using Function = void (*)(uint32_t, const double*, double*, double*, uint8_t*);
const Function chosen = for_processor<Function>(fast_avx512, fast_avx2, by_glibc);
const Function chosen_floats = for_processor<Function>(floats_avx512, floats_avx2, by_glibc);
using CosineFunction = void (*)(uint32_t, const double*, double*, uint8_t*);
const CosineFunction chosen_cosines =
    for_processor<CosineFunction>(cosines_avx512, cosines_avx2, cosines_by_glibc);
// Fewer take no longer by glibc.
constexpr uint32_t few = 3;
#else
constexpr auto chosen = by_glibc;
constexpr auto chosen_floats = by_glibc;
constexpr auto chosen_cosines = cosines_by_glibc;
constexpr uint32_t few = 0;
#endif

}  // namespace

void near_floats(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubt) {
  (n < few ? by_glibc : chosen_floats)(n, angle, sine, cosine, doubt);
}

void near_cosines(uint32_t n, const double* angle, double* cosine, uint8_t* doubt) {
  (n < few ? cosines_by_glibc : chosen_cosines)(n, angle, cosine, doubt);
}

void near(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubt) {
  (n < few ? by_glibc : chosen)(n, angle, sine, cosine, doubt);
}

}  // namespace classic
