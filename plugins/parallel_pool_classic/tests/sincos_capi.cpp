// The two ways to the same sines and cosines, for test_sincos.py.
#include "../src/numeric/sincos.hpp"

extern "C" void fast(uint32_t n, const double* angle, double* sine, double* cosine,
                     uint8_t* doubtful) {
  classic::sincos(n, angle, sine, cosine, doubtful);
}
extern "C" void reference(uint32_t n, const double* angle, double* sine, double* cosine) {
  classic::sincos_reference(n, angle, sine, cosine);
}
