// numpy's own exp, log1p and so on.
//
// numpy computes some of them with vector functions that round otherwise than the C library's, and
// which ones depends on its version and the processor. Observations and rewards are made of them,
// so they are taken from the numpy that is installed: the inner loops of its ufuncs, plain C
// functions whose addresses the Python side hands over (_numpy_math.py). They need no lock of
// Python's. Without a table, the C library's.
#ifndef PARALLEL_POOL_DMC_NUMPY_MATH_HPP_
#define PARALLEL_POOL_DMC_NUMPY_MATH_HPP_

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace suite {

// One of numpy's loops, as a PyUFuncObject has it.
struct NumpyLoop {
  void (*run)(char** arrays, const std::ptrdiff_t* count, const std::ptrdiff_t* strides,
              void* data);
  void* data;

  double operator()(double x) const {
    double result = 0.0;
    char* arrays[] = {reinterpret_cast<char*>(&x), reinterpret_cast<char*>(&result)};
    const std::ptrdiff_t count = 1;
    const std::ptrdiff_t strides[] = {sizeof x, sizeof result};
    run(arrays, &count, strides, data);
    return result;
  }
};

// In the order of _numpy_math.py.
struct NumpyTable {
  NumpyLoop exp, log, log1p, cos, sin, cosh, tanh, arccos, arccosh, arctanh;
};

class NumpyMath {
 public:
  // `address`: of the process's one table, or 0.
  static void use(int64_t address) {
    table().store(reinterpret_cast<const NumpyTable*>(address), std::memory_order_relaxed);
  }

#define SUITE_FUNCTION(name, of_c)                                     \
  static double name(double x) {                                       \
    const NumpyTable* numpy = table().load(std::memory_order_relaxed); \
    return numpy != nullptr ? numpy->name(x) : std::of_c(x);           \
  }
  SUITE_FUNCTION(exp, exp)
  SUITE_FUNCTION(log, log)
  SUITE_FUNCTION(log1p, log1p)
  SUITE_FUNCTION(cos, cos)
  SUITE_FUNCTION(sin, sin)
  SUITE_FUNCTION(cosh, cosh)
  SUITE_FUNCTION(tanh, tanh)
  SUITE_FUNCTION(arccos, acos)
  SUITE_FUNCTION(arccosh, acosh)
  SUITE_FUNCTION(arctanh, atanh)
#undef SUITE_FUNCTION

 private:
  static std::atomic<const NumpyTable*>& table() {
    static std::atomic<const NumpyTable*> table{nullptr};
    return table;
  }
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_NUMPY_MATH_HPP_
