// The fast ways and the C library's, for test_numeric.py.
#include <cmath>

#include "numeric/numpy_float.hpp"
#include "numeric/sincos.hpp"
#include "numeric/square.hpp"
#include "numeric/trigonometry.hpp"

extern "C" {

// near zero
void small_fast(uint32_t n, const double* x, double* sine, double* cosine, uint8_t* doubt) {
  classic::sincos(n, x, sine, cosine, doubt);
}
void fast(uint32_t n, const double* x, double* sine, double* cosine, uint8_t* doubt) {
  classic::near(n, x, sine, cosine, doubt);
  classic::settle_sines(n, classic::exact_sine, x, sine, doubt);
  classic::settle_cosines(n, classic::exact_cosine, x, cosine, doubt);
}
void cosines(uint32_t n, const double* x, double* cosine, uint8_t* doubt) {
  classic::near_cosines(n, x, cosine, doubt);
  classic::settle_cosines(n, classic::exact_cosine, x, cosine, doubt);
}
void floats(uint32_t n, const double* x, float* sine, float* cosine, double* sines, double* cosines,
            uint8_t* doubt) {
  classic::near_floats(n, x, sines, cosines, doubt);
  classic::settle_sines(n, classic::float_sine, x, sines, doubt);
  classic::settle_cosines(n, classic::float_cosine, x, cosines, doubt);
  for (uint32_t i = 0; i < n; ++i) {
    sine[i] = static_cast<float>(sines[i]);
    cosine[i] = static_cast<float>(cosines[i]);
  }
}
// Computes as Pendulum does: one of the two as a double, the other as a float.
void mixed(uint32_t n, const double* x, double* sine, float* cosine, double* cosines,
           uint8_t* doubt) {
  classic::near(n, x, sine, cosines, doubt);
  classic::settle_sines(n, classic::exact_sine, x, sine, doubt);
  classic::settle_cosines(n, classic::float_cosine, x, cosines, doubt);
  for (uint32_t i = 0; i < n; ++i) cosine[i] = static_cast<float>(cosines[i]);
}
void reference(uint32_t n, const double* x, double* sine, double* cosine) {
  classic::sincos_reference(n, x, sine, cosine);
}
void squares(uint32_t n, const double* x, double* square, uint8_t* doubt) {
  classic::squares(n, x, square, doubt);
}
void float_squares(uint32_t n, const float* x, float* square, uint8_t* doubt) {
  classic::float_squares(n, x, square, doubt);
}
void numpy_floats(uint32_t n, const float* x, float* sine, float* cosine) {
  for (uint32_t i = 0; i < n; ++i) {
    const classic::FloatAngle both = classic::numpy_float_sin_cos(x[i]);
    sine[i] = both.sine;
    cosine[i] = both.cosine;
  }
}
}
