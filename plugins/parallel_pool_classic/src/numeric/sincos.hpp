// Sines and cosines of many angles near zero, equal in every bit to glibc's sin and cos. See
// glibc.hpp for how; trigonometry.hpp does the same for any angle, at twice the cost.
//
// glibc's sin errs by at most 0.518 units in the last place and its cos by 0.503 for the angles
// treated here (glibc's own comments in s_sin.c; measured here: 0.516 and 0.502). glibc itself is
// asked about one angle in twelve, and about those beyond 0.3 radians.
//
// With another C library, or a processor without fused multiply-add, all angles take the slow path.
#ifndef PARALLEL_POOL_CLASSIC_NUMERIC_SINCOS_HPP_
#define PARALLEL_POOL_CLASSIC_NUMERIC_SINCOS_HPP_

#include <cstdint>

namespace classic {

// Angles in radians. `doubtful` is scratch. No array may overlap another; each has room for n
// elements.
void sincos(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubtful);

// Computes the same by glibc alone, for tests of the fast path.
void sincos_reference(uint32_t n, const double* angle, double* sine, double* cosine);

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_NUMERIC_SINCOS_HPP_
