// Squares as numpy takes them of a scalar: x ** 2 is pow(x, 2), which is not always the double
// nearest to x * x (of random numbers, 8 in 10,000 differ).
#ifndef PARALLEL_POOL_CLASSIC_NUMERIC_SQUARE_HPP_
#define PARALLEL_POOL_CLASSIC_NUMERIC_SQUARE_HPP_

#include <cstdint>

namespace classic {

// square[i] = pow(value[i], 2) as glibc computes it, whose error is at most 0.511 units in the last
// place (its own comment in e_pow.c). `doubt` is scratch; no array may overlap another.
void squares(uint32_t n, const double* value, double* square, uint8_t* doubt);

// Computes powf(value[i], 2) in float32. Only values of 2^-10 and more are fast.
void float_squares(uint32_t n, const float* value, float* square, uint8_t* doubt);

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_NUMERIC_SQUARE_HPP_
