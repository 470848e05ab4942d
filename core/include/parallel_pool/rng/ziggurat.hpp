// Draws from the standard normal and exponential densities by the ziggurat method, in the order in
// which numpy's Generator takes its words.
//
// Rare draws (about one in a hundred) compare or return values of the C library's exp and log1p, as
// numpy does with the C library that it runs on: equality holds on one machine, and two machines
// whose C libraries round differently may differ there.

#ifndef PARALLEL_POOL_RNG_ZIGGURAT_HPP_
#define PARALLEL_POOL_RNG_ZIGGURAT_HPP_

#include <cmath>
#include <cstdint>

#include "parallel_pool/rng/pcg64.hpp"
#include "parallel_pool/rng/rounded_product.hpp"
#include "parallel_pool/rng/ziggurat_tables.hpp"

namespace pp {
namespace rng_internal {

// A height uniform between the densities at the two ends of a layer.
inline double HeightWithinLayer(const ZigguratTables& tables, unsigned layer, Pcg64& generator) {
  const double bottom = tables.density[layer];
  const double top = tables.density[layer - 1];
  return RoundedProduct(top - bottom, generator.random()) + bottom;
}

// The normal density beyond kNormalTail, by Marsaglia's method.
inline double NormalTail(Pcg64& generator) {
  while (true) {
    // 1 - U, which is never zero, is what the logarithm is of.
    const double beyond = RoundedProduct(-kNormalTailReciprocal, std::log1p(-generator.random()));
    const double height = -std::log1p(-generator.random());
    if (height + height > beyond * beyond) return kNormalTail + beyond;
  }
}

inline double StandardNormal(Pcg64& generator) {
  while (true) {
    const std::uint64_t word = generator.next_uint64();
    const unsigned layer = word & 0xFF;
    const bool negative = ((word >> 8) & 1) != 0;
    const std::uint64_t draw = (word >> 9) & 0xFFFFFFFFFFFFF;
    const ZigguratTables::Layer& bounds = kNormalTables.layers[layer];
    double x = RoundedProduct(static_cast<double>(draw), bounds.scale);
    if (negative) x = -x;
    if (draw < bounds.inside_below) return x;
    if (layer == 0) {
      // The reference takes the tail's sign from the draw and not from the sign bit.
      const double magnitude = NormalTail(generator);
      return ((draw >> 8) & 1) != 0 ? -magnitude : magnitude;
    }
    if (HeightWithinLayer(kNormalTables, layer, generator) < std::exp(-0.5 * x * x)) return x;
  }
}

inline double StandardExponential(Pcg64& generator) {
  while (true) {
    const std::uint64_t word = generator.next_uint64();
    const unsigned layer = (word >> 3) & 0xFF;
    const std::uint64_t draw = word >> 11;
    const ZigguratTables::Layer& bounds = kExponentialTables.layers[layer];
    const double x = RoundedProduct(static_cast<double>(draw), bounds.scale);
    if (draw < bounds.inside_below) return x;
    // Memorylessness: the tail is the density itself, moved.
    if (layer == 0) return kExponentialTail - std::log1p(-generator.random());
    if (HeightWithinLayer(kExponentialTables, layer, generator) < std::exp(-x)) return x;
  }
}

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_ZIGGURAT_HPP_
