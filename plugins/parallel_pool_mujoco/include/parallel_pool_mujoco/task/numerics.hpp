// parallel_pool_mujoco/task/numerics.hpp: sums and norms in numpy's order of operations.
//
// Rewards of tasks in Python are such sums, and another order rounds differently. Written from the
// behaviour of numpy's pairwise summation, not from its source.
#ifndef PARALLEL_POOL_MUJOCO_TASK_NUMERICS_HPP_
#define PARALLEL_POOL_MUJOCO_TASK_NUMERICS_HPP_

#include <cmath>
#include <cstddef>

namespace pp::mujoco {

// np.sum(values(i) for i < count) of a contiguous array: pairwise above 128 elements, eight running
// sums from 8 elements on, one below.
template <class T, class Values>
T numpy_sum(const Values& values, size_t first, size_t count) {
  if (count < 8) {
    T sum = T(-0.0);
    for (size_t i = 0; i < count; ++i) sum += values(first + i);
    return sum;
  }
  if (count <= 128) {
    T part[8];
    for (size_t k = 0; k < 8; ++k) part[k] = values(first + k);
    size_t i = 8;
    for (; i < count - count % 8; i += 8) {
      for (size_t k = 0; k < 8; ++k) part[k] += values(first + i + k);
    }
    T sum =
        ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    for (; i < count; ++i) sum += values(first + i);
    return sum;
  }
  size_t half = count / 2;
  half -= half % 8;
  return numpy_sum<T>(values, first, half) + numpy_sum<T>(values, first + half, count - half);
}

// np.sum(np.square(values)).
template <class T>
T sum_of_squares(const T* values, size_t count) {
  return numpy_sum<T>([values](size_t i) { return values[i] * values[i]; }, 0, count);
}

// np.linalg.norm of a short vector: the root of a dot product of numpy's BLAS, which fuses multiply
// and add or does not, depending on the processor. The option fused_norm says which.
inline double norm(const double* values, size_t count, bool fused) {
  double sum = 0.0;
  for (size_t i = 0; i < count; ++i) {
    sum = fused ? std::fma(values[i], values[i], sum) : sum + values[i] * values[i];
  }
  return std::sqrt(sum);
}

// x ** 2 of a numpy scalar is a call of pow, which need not round as x * x does.
inline double squared(double value) {
  volatile double two = 2.0;
  return std::pow(value, two);
}

// np.clip, which keeps NaN.
inline double clipped(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

}  // namespace pp::mujoco
#endif  // PARALLEL_POOL_MUJOCO_TASK_NUMERICS_HPP_
