// Normal draws by the polar method, two at a time, in the order in which numpy's RandomState takes
// its words.
//
// G. Marsaglia and T. A. Bray, "A Convenient Method for Generating Normal Variables" (1964).

#ifndef PARALLEL_POOL_RNG_POLAR_NORMAL_HPP_
#define PARALLEL_POOL_RNG_POLAR_NORMAL_HPP_

#include <cmath>

#include "parallel_pool/rng/rounded_product.hpp"

namespace pp {
namespace rng_internal {

struct NormalPair {
  double first;
  double second;
};

template <typename Generator>
NormalPair draw_normal_pair(Generator& generator) {
  while (true) {
    const double x = 2.0 * generator.random() - 1.0;
    const double y = 2.0 * generator.random() - 1.0;
    const double square = rounded_product(x, x) + rounded_product(y, y);
    if (square >= 1.0 || square == 0.0) continue;
    const double stretch = std::sqrt(-2.0 * std::log(square) / square);
    // numpy gives the later coordinate out first.
    return {rounded_product(stretch, y), rounded_product(stretch, x)};
  }
}

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_POLAR_NORMAL_HPP_
