// Draws from the standard normal and exponential densities by the ziggurat method, in the order in
// which numpy's Generator takes its words.
//
// Rare draws (about one in a hundred) compare or return values of the C library's exp and log1p, as
// numpy does with the C library that it runs on: equality holds on one machine, and two machines
// with C libraries that round differently may differ there.

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
inline double height_within_layer(const ZigguratTables& tables, unsigned layer, Pcg64& generator) {
  const double bottom = tables.density[layer];
  const double top = tables.density[layer - 1];
  return rounded_product(top - bottom, generator.random()) + bottom;
}

// The normal density beyond normal_tail, by Marsaglia's method.
inline double draw_normal_tail(Pcg64& generator) {
  while (true) {
    // 1 - U, which is never zero, is what the logarithm is of.
    const double beyond = rounded_product(-normal_tail_reciprocal, std::log1p(-generator.random()));
    const double height = -std::log1p(-generator.random());
    if (height + height > beyond * beyond) return normal_tail + beyond;
  }
}

inline double standard_normal(Pcg64& generator) {
  while (true) {
    const uint64_t word = generator.next_uint64();
    const unsigned layer = word & 0xFF;
    const bool negative = ((word >> 8) & 1) != 0;
    const uint64_t draw = (word >> 9) & 0xFFFFFFFFFFFFF;
    const ZigguratTables::Layer& bounds = normal_tables.layers[layer];
    double x = rounded_product(static_cast<double>(draw), bounds.scale);
    if (negative) x = -x;
    if (draw < bounds.inside_below) return x;
    if (layer == 0) {
      // The reference takes the tail's sign from the draw and not from the sign bit.
      const double magnitude = draw_normal_tail(generator);
      return ((draw >> 8) & 1) != 0 ? -magnitude : magnitude;
    }
    if (height_within_layer(normal_tables, layer, generator) < std::exp(-0.5 * x * x)) return x;
  }
}

inline double standard_exponential(Pcg64& generator) {
  while (true) {
    const uint64_t word = generator.next_uint64();
    const unsigned layer = (word >> 3) & 0xFF;
    const uint64_t draw = word >> 11;
    const ZigguratTables::Layer& bounds = exponential_tables.layers[layer];
    const double x = rounded_product(static_cast<double>(draw), bounds.scale);
    if (draw < bounds.inside_below) return x;
    // Memorylessness: the tail is the density itself, moved.
    if (layer == 0) return exponential_tail - std::log1p(-generator.random());
    if (height_within_layer(exponential_tables, layer, generator) < std::exp(-x)) return x;
  }
}

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_ZIGGURAT_HPP_
