// The tables of the ziggurat method, 256 layers of equal area under a falling density, equal in
// every bit to those of numpy.
//
// Layer 0 is the base with the tail beyond x[255]; layer i > 0 is a rectangle of width x[i], which
// is wholly under the density as far as x[i - 1]. The layers follow from
//   area = x[i + 1] * (f(x[i]) - f(x[i + 1])),   x[0] = area / f(x[255]),   x[1] nearly 0.
//
// G. Marsaglia and W. W. Tsang, "The Ziggurat Method for Generating Random Variables" (2000).

#ifndef PARALLEL_POOL_RNG_ZIGGURAT_TABLES_HPP_
#define PARALLEL_POOL_RNG_ZIGGURAT_TABLES_HPP_

#include <cmath>
#include <cstdint>

#include "parallel_pool/rng/double_double.hpp"

namespace pp {
namespace rng_internal {

struct ZigguratTables {
  // The numbers of the common path, side by side.
  struct Layer {
    // Draws below this are under the density for sure.
    uint64_t inside_below;
    // A draw times this is x.
    double scale;
  };

  static constexpr int layer_count = 256;

  Layer layers[layer_count];
  // f(x[i]), with 1 for layer 0.
  double density[layer_count];
};

// The tail of the normal density begins here; and the reciprocal.
constexpr double normal_tail = 3.6541528853610087963519472518;
constexpr double normal_tail_reciprocal = 0.27366123732975827203338247596;
// The tail of the exponential density begins here.
constexpr double exponential_tail = 7.69711747013104971404462804811;

// Makes those of exp(-x * x / 2), for draws of 52 bits. The reference ran the recurrence in plain
// doubles, so its rounding errors are part of the tables and are repeated here, with the
// exponential and logarithm correctly rounded.
[[gnu::cold]] inline ZigguratTables make_normal_tables() {
  constexpr int last = ZigguratTables::layer_count - 1;
  constexpr double draw_count = 0x1p52;
  // Four units in the last place below the correctly rounded area of a layer; no neighbour of it
  // gives the reference's tables.
  constexpr double area = 0x1.43016a5a4372ep-8;
  // The one layer of which the reference rounded the density the wrong way, in a near tie.
  constexpr int misrounded_layer = 38;

  ZigguratTables tables{};
  double x[ZigguratTables::layer_count];
  for (int i = last; i > 0; --i) {
    x[i] = i == last ? normal_tail
                     : std::sqrt(-2.0 * log({area / x[i + 1] + tables.density[i + 1], 0}).high);
    tables.density[i] = exp({-0.5 * x[i] * x[i], 0}).high;
    if (i == misrounded_layer) tables.density[i] = std::nextafter(tables.density[i], 1.0);
  }
  x[0] = area / tables.density[last];
  tables.density[0] = 1;

  for (int i = 0; i <= last; ++i) {
    tables.layers[i].scale = x[i] / draw_count;
    // Layer 1 has the mode of the density above it: nothing is sure to be inside.
    const double inside = i == 1 ? 0 : x[i == 0 ? last : i - 1] / x[i];
    tables.layers[i].inside_below = static_cast<uint64_t>(std::nearbyint(inside * draw_count));
  }
  return tables;
}

// Makes those of exp(-x), for draws of 53 bits. The reference computed these in high precision.
[[gnu::cold]] inline ZigguratTables make_exponential_tables() {
  constexpr int last = ZigguratTables::layer_count - 1;
  constexpr double draw_count = 0x1p53;
  // The part of the tail's position that does not fit in a double.
  constexpr double tail_low = -0x1.a1eb4a1d9ad93p-52;

  ZigguratTables tables{};
  DoubleDouble x[ZigguratTables::layer_count];
  DoubleDouble density[ZigguratTables::layer_count];
  x[last] = {exponential_tail, tail_low};
  density[last] = exp(-x[last]);
  // The base rectangle and the tail, which has the area f(x[255]).
  x[0] = x[last] + DoubleDouble{1, 0};
  density[0] = {1, 0};
  const DoubleDouble area = x[0] * density[last];
  for (int i = last - 1; i > 0; --i) {
    const DoubleDouble top = area / x[i + 1] + density[i + 1];
    x[i] = -log(top);
    // Equals exp(-x[i]), without another rounding.
    density[i] = top;
  }

  for (int i = 0; i <= last; ++i) {
    tables.density[i] = density[i].high;
    tables.layers[i].scale = x[i].high / draw_count;
    if (i == 1) continue;
    // The reference computed this bound for draws of 52 bits and doubled it.
    const DoubleDouble inside = x[i == 0 ? last : i - 1] / x[i] * DoubleDouble{draw_count / 2, 0};
    double whole = std::floor(inside.high);
    if ((inside.high - whole) + inside.low < 0) whole -= 1;
    tables.layers[i].inside_below = static_cast<uint64_t>(whole) * 2;
  }
  return tables;
}

// Built when the library or plugin that includes this is loaded, so that draws take no lock. Usable
// from static initialisers of files that include this header.
inline const ZigguratTables normal_tables = make_normal_tables();
inline const ZigguratTables exponential_tables = make_exponential_tables();

}  // namespace rng_internal
}  // namespace pp

#endif  // PARALLEL_POOL_RNG_ZIGGURAT_TABLES_HPP_
