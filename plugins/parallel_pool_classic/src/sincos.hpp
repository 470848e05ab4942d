// Sines and cosines of many angles, equal in every bit to glibc's sin and cos, several at a time.
//
// glibc's results are not always the nearest double, but never far from it: its sin errs by at most
// 0.518 units in the last place and its cos by 0.503 for the angles treated here (glibc's own
// comments in s_sin.c; measured here: 0.516 and 0.502). So wherever the exact value is farther than
// a margin from the middle between two doubles, glibc must return the nearest one. That is what the
// fast path computes, as an unevaluated sum of two doubles; where the sum is too near to a middle
// to tell, and for angles outside the range, glibc itself is asked. About one angle in twelve is.
//
// With another C library, or a processor without fused multiply-add, all angles take the slow path.
#ifndef PARALLEL_POOL_CLASSIC_SINCOS_HPP_
#define PARALLEL_POOL_CLASSIC_SINCOS_HPP_

#include <cstdint>

namespace classic {

// Angles in radians. `doubtful` is scratch. No array may overlap another; each has room for n
// elements.
void sincos(uint32_t n, const double* angle, double* sine, double* cosine, uint8_t* doubtful);

// The same by glibc alone: what the fast path is tested against.
void sincos_reference(uint32_t n, const double* angle, double* sine, double* cosine);

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_SINCOS_HPP_
