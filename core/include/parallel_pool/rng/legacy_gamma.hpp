// Gamma and beta draws in the order in which numpy's RandomState takes its words. Its Generator
// makes them of other normal and exponential draws.
//
// Gamma by J. H. Ahrens and U. Dieter ("Computer Methods for Sampling from Gamma, Beta, Poisson and
// Binomial Distributions", 1974) for shapes below one, and by G. Marsaglia and W. W. Tsang ("A
// Simple Method for Generating Gamma Variables", 2000) above; beta by M. D. Johnk (1964) where both
// shapes are at most one. Each step is rounded as numpy rounds it; log, pow and exp are the C
// library's.

#ifndef PARALLEL_POOL_RNG_LEGACY_GAMMA_HPP_
#define PARALLEL_POOL_RNG_LEGACY_GAMMA_HPP_

#include <algorithm>
#include <cmath>

#include "parallel_pool/rng/rounded_product.hpp"

namespace pp {
namespace rng_internal {

template <typename Generator>
double gamma_of_shape_below_one(Generator& generator, double shape) {
  while (true) {
    const double uniform = generator.random();
    const double height = generator.standard_exponential();
    if (uniform <= 1.0 - shape) {
      const double x = std::pow(uniform, 1.0 / shape);
      if (x <= height) return x;
    } else {
      const double y = -std::log((1.0 - uniform) / shape);
      const double x = std::pow(1.0 - shape + rounded_product(shape, y), 1.0 / shape);
      if (x <= height + y) return x;
    }
  }
}

template <typename Generator>
double gamma_of_shape_above_one(Generator& generator, double shape) {
  const double b = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * b);
  while (true) {
    double x;
    double root;
    do {
      x = generator.standard_normal();
      root = 1.0 + rounded_product(c, x);
    } while (root <= 0.0);
    const double v = root * root * root;
    const double uniform = generator.random();
    const double square = x * x;
    // The first bound is cheap and nearly always decides.
    if (uniform < 1.0 - rounded_product(0.0331 * square, square) ||
        std::log(uniform) <
            rounded_product(0.5 * x, x) + rounded_product(b, 1.0 - v + std::log(v))) {
      return rounded_product(b, v);
    }
  }
}

template <typename Generator>
double standard_gamma(Generator& generator, double shape) {
  if (shape == 1.0) return generator.standard_exponential();
  if (shape == 0.0) return 0.0;
  return shape < 1.0 ? gamma_of_shape_below_one(generator, shape)
                     : gamma_of_shape_above_one(generator, shape);
}

template <typename Generator>
double beta_of_shapes_up_to_one(Generator& generator, double a, double b) {
  while (true) {
    const double first = generator.random();
    const double second = generator.random();
    const double x = std::pow(first, 1.0 / a);
    const double y = std::pow(second, 1.0 / b);
    if (x + y > 1.0) continue;
    if (x + y > 0.0) return x / (x + y);
    // Both powers are too small for a double; their ratio is not.
    double log_x = std::log(first) / a;
    double log_y = std::log(second) / b;
    const double greater = std::max(log_x, log_y);
    log_x -= greater;
    log_y -= greater;
    return std::exp(log_x - std::log(std::exp(log_x) + std::exp(log_y)));
  }
}

template <typename Generator>
double beta(Generator& generator, double a, double b) {
  if (a <= 1.0 && b <= 1.0) return beta_of_shapes_up_to_one(generator, a, b);
  const double x = standard_gamma(generator, a);
  const double y = standard_gamma(generator, b);
  return x / (x + y);
}

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_LEGACY_GAMMA_HPP_
