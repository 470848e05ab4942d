// numpy's functions of single numbers where they are not the C library's, in numpy's own words: NaN
// stays, and a remainder has the sign of the divisor. Written from numpy's behaviour.
#ifndef PARALLEL_POOL_TASKS_ARITHMETIC_HPP_
#define PARALLEL_POOL_TASKS_ARITHMETIC_HPP_

#include <cmath>

namespace tasks {

inline double maximum(double x, double y) {
  return x >= y || std::isnan(x) ? x : y;
}
inline double minimum(double x, double y) {
  return x <= y || std::isnan(x) ? x : y;
}

// The upper bound decides where the bounds cross.
inline double clipped(double x, double low, double high) {
  if (!std::isnan(x) && !(x > low)) x = low;
  if (!std::isnan(x) && !(x < high)) x = high;
  return x;
}

inline double sign(double x) {
  return std::isnan(x) ? x : x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0;
}

inline double remainder(double x, double y) {
  const double rest = std::fmod(x, y);
  if (y == 0.0) return rest;
  if (rest == 0.0) return std::copysign(0.0, y);
  return (y < 0) != (rest < 0) ? rest + y : rest;
}

// Not x * x for an exponent of 2, which need not round alike: numpy calls pow for scalars.
inline double power(double x, double y) {
  volatile double exponent = y;
  return std::pow(x, exponent);
}

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_ARITHMETIC_HPP_
