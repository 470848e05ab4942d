// Sine and cosine of a float32 as numpy computes them where it has fused multiply-add: its own
// polynomials after Cody and Waite's reduction, not the C library's sinf and cosf.
//
// The coefficients are T. Myklebust's, in numpy under loops_trigonometric. On a processor where
// numpy has no fused multiply-add it calls the C library, and may differ from this in the last bit.
#ifndef PARALLEL_POOL_CLASSIC_NUMERIC_NUMPY_FLOAT_HPP_
#define PARALLEL_POOL_CLASSIC_NUMERIC_NUMPY_FLOAT_HPP_

#include <cmath>

namespace classic {

struct FloatAngle {
  float sine;
  float cosine;
};

inline FloatAngle numpy_float_sin_cos(float x) {
  // numpy too leaves greater angles to the C library.
  const bool greater_than_sine_takes = !(std::fabs(x) <= 117435.992f);
  const bool greater_than_cosine_takes = !(std::fabs(x) <= 71476.0625f);
  // Fused in numpy by its compiler, which shows where a quarter turn is just as far as the next.
  const float shifted = std::fma(x, 0x1.45f306p-1f, 0x1.8p23f);
  const float turns = shifted - 0x1.8p23f;
  float r = std::fma(turns, -0x1.921fb0p+00f, x);
  r = std::fma(turns, -0x1.5110b4p-22f, r);
  r = std::fma(turns, -0x1.846988p-48f, r);
  const float z = r * r;
  float even = std::fma(0x1.98e616p-16f, z, -0x1.6c06dcp-10f);
  even = std::fma(even, z, 0x1.55553cp-05f);
  even = std::fma(even, z, -0.5f);
  even = std::fma(even, z, 1.0f);
  float odd = std::fma(0x1.7d3bbcp-19f, z, -0x1.a06bbap-13f);
  odd = std::fma(odd, z, 0x1.11119ap-07f);
  odd = std::fma(odd, z, -0x1.555556p-03f);
  odd = std::fma(odd * z, r, r);
  const int quarter = static_cast<int>(greater_than_sine_takes ? 0.0f : turns);
  const float up = (quarter & 1) != 0 ? even : odd;
  const float along = (quarter & 1) != 0 ? odd : even;
  FloatAngle result{(quarter & 2) != 0 ? -up : up, ((quarter + 1) & 2) != 0 ? -along : along};
  if (greater_than_sine_takes) result.sine = std::sin(x);
  if (greater_than_cosine_takes) result.cosine = std::cos(x);
  return result;
}

}  // namespace classic
#endif  // PARALLEL_POOL_CLASSIC_NUMERIC_NUMPY_FLOAT_HPP_
