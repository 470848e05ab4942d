// Arithmetic on unevaluated sums of two doubles, good to about 2**-100: just enough of it to
// compute the ziggurat tables to the last bit wherever the library is built.
//
// The platform's own exp and log differ in the last bit from one C library to another, and not
// every platform has a long double wider than a double. Needs IEEE doubles, rounding to nearest;
// -ffast-math breaks it.
//
// The operations are T. J. Dekker's ("A floating-point technique for extending the available
// precision", 1971) and D. E. Knuth's.

#ifndef PARALLEL_POOL_RNG_DOUBLE_DOUBLE_HPP_
#define PARALLEL_POOL_RNG_DOUBLE_DOUBLE_HPP_

#include <cmath>

#include "parallel_pool/rng/rounded_product.hpp"

namespace pp {
namespace rng_internal {

// `high` is the double nearest to the whole, so rounding to double is taking it.
struct DoubleDouble {
  double high;
  double low;
};

// The exact sum of two doubles of which the first is the greater in magnitude.
inline DoubleDouble sum_ordered(double greater, double lesser) {
  const double sum = greater + lesser;
  return {sum, lesser - (sum - greater)};
}

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const double sum = a.high + b.high;
  const double b_part = sum - a.high;
  const double error = (a.high - (sum - b_part)) + (b.high - b_part);
  return sum_ordered(sum, error + (a.low + b.low));
}

inline DoubleDouble operator-(DoubleDouble a) {
  return {-a.high, -a.low};
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + -b;
}

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const double product = rounded_product(a.high, b.high);
  const double error = std::fma(a.high, b.high, -product);
  return sum_ordered(product, error + (a.high * b.low + a.low * b.high));
}

inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.high / b.high;
  DoubleDouble remainder = a - b * DoubleDouble{first, 0};
  const double second = remainder.high / b.high;
  remainder = remainder - b * DoubleDouble{second, 0};
  const double third = remainder.high / b.high;
  return sum_ordered(first, second) + DoubleDouble{third, 0};
}

// Takes arguments of a magnitude up to about 10.
inline DoubleDouble exp(DoubleDouble x) {
  // exp(x) = exp(x / 2**8)**(2**8); the division is exact and leaves a fast series.
  constexpr int squarings = 8;
  constexpr int terms = 18;
  const DoubleDouble reduced{std::ldexp(x.high, -squarings), std::ldexp(x.low, -squarings)};
  DoubleDouble result{1, 0};
  for (int term = terms; term > 0; --term) {
    result = DoubleDouble{1, 0} + reduced * result / DoubleDouble{static_cast<double>(term), 0};
  }
  for (int i = 0; i < squarings; ++i) result = result * result;
  return result;
}

// Takes positive arguments of which exp() can take the logarithm back.
inline DoubleDouble log(DoubleDouble y) {
  // The library's log is right to some 50 bits. With y * exp(-guess) = 1 + e the answer is
  // guess + log(1 + e), and two terms of that series double the bits.
  const DoubleDouble guess{std::log(y.high), 0};
  const DoubleDouble excess = y * exp(-guess) - DoubleDouble{1, 0};
  return guess + excess - excess * excess * DoubleDouble{0.5, 0};
}

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_DOUBLE_DOUBLE_HPP_
