// Rates from 0 to 1 how near a number is to an interval. Rewards of the suite are made of these.
//
// Written from the behaviour of dm_control.utils.rewards.tolerance and its curves, in numpy's
// arithmetic, to the last bit: a numpy scalar is squared by pow, an element of an array by a
// multiplication.
#ifndef PARALLEL_POOL_DMC_TOLERANCE_HPP_
#define PARALLEL_POOL_DMC_TOLERANCE_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "numpy_math.hpp"
#include "sdk_names.hpp"

namespace suite {

// The curves by which the value falls outside of the interval.
enum class Sigmoid {
  gaussian,
  hyperbolic,
  long_tail,
  reciprocal,
  cosine,
  linear,
  quadratic,
  tanh_squared
};

// The interval from low to high, both included.
struct Bounds {
  double low = 0.0;
  double high = 0.0;
};

inline constexpr double pi = 3.141592653589793;

namespace detail {

// In Python `x` is a numpy scalar, or an element of an array: each is squared in its own way.
struct ScalarPower {
  static double square(double x) { return squared(x); }
};
struct ArrayPower {
  static double square(double x) { return x * x; }
};

inline constexpr double usual_at_margin = 0.1;

// Remembers a result that is dear to compute, for a number that is nearly always the same.
inline double gaussian_scale(double at_margin) {
  const auto scale = [](double value) { return std::sqrt(-2 * NumpyMath::log(value)); };
  static const double usual = scale(usual_at_margin);
  return at_margin == usual_at_margin ? usual : scale(at_margin);
}

// The value at `x` margins outside of the interval: 1 at 0, `at_margin` at 1.
template <class Power>
double falling(double x, double at_margin, Sigmoid sigmoid) {
  switch (sigmoid) {
    case Sigmoid::gaussian: {
      return NumpyMath::exp(-0.5 * Power::square(x * gaussian_scale(at_margin)));
    }
    case Sigmoid::hyperbolic:
      return 1 / NumpyMath::cosh(x * NumpyMath::arccosh(1 / at_margin));
    case Sigmoid::long_tail: {
      const double scale = std::sqrt(1 / at_margin - 1);
      return 1 / (Power::square(x * scale) + 1);
    }
    case Sigmoid::reciprocal: {
      const double scale = 1 / at_margin - 1;
      return 1 / (std::abs(x) * scale + 1);
    }
    case Sigmoid::cosine: {
      const double scaled = x * (NumpyMath::arccos(2 * at_margin - 1) / pi);
      return std::abs(scaled) < 1 ? (1 + NumpyMath::cos(pi * scaled)) / 2 : 0.0;
    }
    case Sigmoid::linear: {
      const double scaled = x * (1 - at_margin);
      return std::abs(scaled) < 1 ? 1 - scaled : 0.0;
    }
    case Sigmoid::quadratic: {
      const double scaled = x * std::sqrt(1 - at_margin);
      return std::abs(scaled) < 1 ? 1 - Power::square(scaled) : 0.0;
    }
    case Sigmoid::tanh_squared: {
      const double scale = NumpyMath::arctanh(std::sqrt(1 - at_margin));
      return 1 - Power::square(NumpyMath::tanh(x * scale));
    }
  }
  return 0.0;
}

template <class Power>
double tolerance(double x, Bounds bounds, double margin, Sigmoid sigmoid, double at_margin) {
  if (bounds.low <= x && x <= bounds.high) return 1.0;
  if (margin == 0) return 0.0;
  const double distance = (x < bounds.low ? bounds.low - x : x - bounds.high) / margin;
  return falling<Power>(distance, at_margin, sigmoid);
}

}  // namespace detail

// Rates a number that is a scalar in dm_control: 1 within the bounds, `at_margin` at a distance of
// `margin`; with a margin of 0, 0 everywhere outside.
inline double tolerance(double x, Bounds bounds = {}, double margin = 0.0,
                        Sigmoid sigmoid = Sigmoid::gaussian,
                        double at_margin = detail::usual_at_margin) {
  return detail::tolerance<detail::ScalarPower>(x, bounds, margin, sigmoid, at_margin);
}

// Rates one element of an array of dm_control.
inline double element_tolerance(double x, Bounds bounds = {}, double margin = 0.0,
                                Sigmoid sigmoid = Sigmoid::gaussian,
                                double at_margin = detail::usual_at_margin) {
  return detail::tolerance<detail::ArrayPower>(x, bounds, margin, sigmoid, at_margin);
}

// The least rating of an array's elements, each by its distance from 0. At most 1.
inline double least_tolerance(const double* x, size_t count, double margin) {
  constexpr size_t chunk = 16;
  const double scale = detail::gaussian_scale(detail::usual_at_margin);
  double exponents[chunk];
  double results[chunk];
  double least = 1;
  for (; count > 0; count -= std::min(count, chunk), x += chunk) {
    const size_t size = std::min(count, chunk);
    for (size_t i = 0; i < size; ++i) {
      exponents[i] = -0.5 * detail::ArrayPower::square(std::abs(x[i]) / margin * scale);
    }
    NumpyMath::exp(exponents, results, size);
    for (size_t i = 0; i < size; ++i) {
      if (x[i] != 0) least = std::min(least, results[i]);
    }
  }
  return least;
}

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_TOLERANCE_HPP_
