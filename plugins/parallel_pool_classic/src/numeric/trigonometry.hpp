// Sines and cosines of angles of any size, several at a time: glibc's in every bit that is asked
// for. See numeric/glibc.hpp for how; sincos.hpp is faster for angles near zero.
//
//   near(n, angle, sine, cosine, doubt);              // within 0.51 units in the last place
//   settle_sines(n, exact_sine, angle, sine, doubt);  // those that may differ from glibc's
//
// glibc's sin and cos err by at most 0.518 units in the last place (its own comments in s_sin.c;
// measured here: 0.517).
#ifndef PARALLEL_POOL_CLASSIC_NUMERIC_TRIGONOMETRY_HPP_
#define PARALLEL_POOL_CLASSIC_NUMERIC_TRIGONOMETRY_HPP_

#include <cmath>
#include <cstdint>

#include "numeric/glibc.hpp"

namespace classic {

// The values of a byte of `doubt`: the value may differ from glibc's, or even its float32 may.
constexpr uint8_t exact_sine = 1;
constexpr uint8_t exact_cosine = 2;
constexpr uint8_t float_sine = 4;
constexpr uint8_t float_cosine = 8;

// No array may overlap another; each has room for n elements.
void near(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubt);

// Within 4 units in the last place, which is enough for a float32, and faster. Says float_sine and
// float_cosine.
void near_floats(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubt);

// Cosines alone, which is faster. Says exact_cosine, and float_cosine where nothing was computed.
void near_cosines(uint32_t n, const double* angle, double* cosine, uint8_t* doubt);

// Asks glibc for those values whose byte has a bit of `mask`.
inline void settle_sines(uint32_t n, uint8_t mask, const double* angle, double* sine,
                         const uint8_t* doubt) {
  settle(n, doubt, mask, [=](uint32_t i) { sine[i] = std::sin(angle[i]); });
}
inline void settle_cosines(uint32_t n, uint8_t mask, const double* angle, double* cosine,
                           const uint8_t* doubt) {
  settle(n, doubt, mask, [=](uint32_t i) { cosine[i] = std::cos(angle[i]); });
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_NUMERIC_TRIGONOMETRY_HPP_
