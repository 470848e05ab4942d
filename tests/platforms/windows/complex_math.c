/* The complex functions that numpy imports from Windows' C library and that wine 8 lacks. Numbers
 * are structs, as for Windows' compilers, whose `long double` is a double. */
#include <complex.h>

#define OF_ONE(suffix, own, Parts, name)                 \
  Parts shim_##name##suffix(Parts z) {                   \
    return parts_##suffix(name##own(whole_##suffix(z))); \
  }

#define FAMILY(suffix, own, number, Parts)                                      \
  typedef struct {                                                              \
    number re, im;                                                              \
  } Parts;                                                                      \
  static number _Complex whole_##suffix(Parts z) {                              \
    union {                                                                     \
      number parts[2];                                                          \
      number _Complex whole;                                                    \
    } both = {{z.re, z.im}};                                                    \
    return both.whole;                                                          \
  }                                                                             \
  static Parts parts_##suffix(number _Complex z) {                              \
    return (Parts){__real__ z, __imag__ z};                                     \
  }                                                                             \
  number shim_creal##suffix(Parts z) {                                          \
    return z.re;                                                                \
  }                                                                             \
  number shim_cimag##suffix(Parts z) {                                          \
    return z.im;                                                                \
  }                                                                             \
  number shim_cabs##suffix(Parts z) {                                           \
    return cabs##own(whole_##suffix(z));                                        \
  }                                                                             \
  number shim_carg##suffix(Parts z) {                                           \
    return carg##own(whole_##suffix(z));                                        \
  }                                                                             \
  Parts shim_cpow##suffix(Parts z, Parts power) {                               \
    return parts_##suffix(cpow##own(whole_##suffix(z), whole_##suffix(power))); \
  }                                                                             \
  OF_ONE(suffix, own, Parts, ccos)                                              \
  OF_ONE(suffix, own, Parts, ccosh)                                             \
  OF_ONE(suffix, own, Parts, cexp)                                              \
  OF_ONE(suffix, own, Parts, csin)                                              \
  OF_ONE(suffix, own, Parts, csinh)                                             \
  OF_ONE(suffix, own, Parts, ctan)                                              \
  OF_ONE(suffix, own, Parts, ctanh)

FAMILY(, , double, DoubleComplex)
FAMILY(f, f, float, FloatComplex)
FAMILY(l, , double, LongComplex)
