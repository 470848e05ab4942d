// numpy's own exp, log1p and so on, and its products of vectors and matrices.
//
// numpy computes some of them with vector functions that round otherwise than the C library's, and
// which ones depends on its version and the processor. Observations and rewards are made of them,
// so they are taken from the numpy that is installed: the inner loops of its ufuncs, plain C
// functions whose addresses the Python side hands over (_numpy_math.py). They need no lock of
// Python's. Functions of the C library take the place of missing ones. Products are numpy's too: it
// leaves them to its BLAS, whose order of operations depends on the processor and the size.
#ifndef PARALLEL_POOL_DMC_NUMPY_MATH_HPP_
#define PARALLEL_POOL_DMC_NUMPY_MATH_HPP_

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace suite {

// One of numpy's loops, as a PyUFuncObject has it.
struct NumpyLoop {
  void (*run)(char** arrays, const ptrdiff_t* count, const ptrdiff_t* strides, void* data);
  void* data;

  double operator()(double x) const {
    double result = 0.0;
    char* arrays[] = {reinterpret_cast<char*>(&x), reinterpret_cast<char*>(&result)};
    const ptrdiff_t count = 1;
    const ptrdiff_t strides[] = {sizeof x, sizeof result};
    run(arrays, &count, strides, data);
    return result;
  }
  void operator()(const double* x, double* results, size_t size) const {
    // The loop only reads the first.
    char* arrays[] = {reinterpret_cast<char*>(const_cast<double*>(x)),
                      reinterpret_cast<char*>(results)};
    const auto count = static_cast<ptrdiff_t>(size);
    const ptrdiff_t strides[] = {sizeof *x, sizeof *results};
    run(arrays, &count, strides, data);
  }
  // Calls a function of two numbers.
  double operator()(double x, double y) const {
    double result = 0.0;
    char* arrays[] = {reinterpret_cast<char*>(&x), reinterpret_cast<char*>(&y),
                      reinterpret_cast<char*>(&result)};
    const ptrdiff_t count = 1;
    const ptrdiff_t strides[] = {sizeof x, sizeof y, sizeof result};
    run(arrays, &count, strides, data);
    return result;
  }
};

// The table that _numpy_math.py lays out. A missing loop is NULL.
struct NumpyTable {
  static constexpr uint64_t expected = 0x31706e6d70706d64;  // "dmppmnp1", read as a number
  uint64_t magic;
  NumpyLoop exp, log, log1p, cos, sin, cosh, tanh, arccos, arccosh, arctanh, arcsinh;
  NumpyLoop arctan2, matmul;
};

class NumpyMath {
 public:
  // `address` is that of the process's one table, which the Python side hands over; 0: none.
  static void use(int64_t address) {
    const auto* given = reinterpret_cast<const NumpyTable*>(address);
    uint64_t magic = NumpyTable::expected;
    if (given != nullptr) std::memcpy(&magic, given, sizeof magic);
    if (magic != NumpyTable::expected) {
      throw std::invalid_argument("the option 'numpy_math' is set by the plugin, not by users");
    }
    table().store(given, std::memory_order_relaxed);
  }

  // Each function takes one number, or an array of several into another place: a call of numpy's
  // loop costs as much as many numbers.
#define SUITE_FUNCTION(name, of_c)                                                            \
  static double name(double x) {                                                              \
    const NumpyTable* numpy = table().load(std::memory_order_relaxed);                        \
    return numpy != nullptr && numpy->name.run != nullptr ? numpy->name(x) : std::of_c(x);    \
  }                                                                                           \
  static void name(const double* x, double* results, size_t size) {                           \
    const NumpyTable* numpy = table().load(std::memory_order_relaxed);                        \
    if (numpy != nullptr && numpy->name.run != nullptr) return numpy->name(x, results, size); \
    for (size_t i = 0; i < size; ++i) results[i] = std::of_c(x[i]);                           \
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
  SUITE_FUNCTION(arcsinh, asinh)
#undef SUITE_FUNCTION
  static double arctan2(double y, double x) {
    const NumpyTable* numpy = table().load(std::memory_order_relaxed);
    return numpy != nullptr && numpy->arctan2.run != nullptr ? numpy->arctan2(y, x)
                                                             : std::atan2(y, x);
  }

  // vector.dot(matrix) in Python: `rows` numbers times [rows][columns], both without gaps. Several
  // vectors, one behind another, need not round as one by one.
  static void product(const double* vector, const double* matrix, size_t rows, size_t columns,
                      double* result, size_t vectors = 1) {
    const NumpyTable* numpy = table().load(std::memory_order_relaxed);
    if (numpy == nullptr || numpy->matmul.run == nullptr) {
      for (size_t k = 0; k < vectors * columns; ++k) {
        const double* const each = vector + rows * (k / columns);
        double sum = 0.0;
        for (size_t i = 0; i < rows; ++i) sum += each[i] * matrix[columns * i + k % columns];
        result[k] = sum;
      }
      return;
    }
    // The loop only reads the first two arrays. Counts: one product, then its extents. Strides are
    // in bytes.
    char* arrays[] = {reinterpret_cast<char*>(const_cast<double*>(vector)),
                      reinterpret_cast<char*>(const_cast<double*>(matrix)),
                      reinterpret_cast<char*>(result)};
    constexpr auto number = static_cast<ptrdiff_t>(sizeof(double));
    const auto m = static_cast<ptrdiff_t>(rows);
    const auto n = static_cast<ptrdiff_t>(columns);
    const ptrdiff_t extents[] = {1, static_cast<ptrdiff_t>(vectors), m, n};
    const ptrdiff_t strides[] = {0,          0,      0,          m * number, number,
                                 n * number, number, n * number, number};
    numpy->matmul.run(arrays, extents, strides, numpy->matmul.data);
  }
  // np.dot of two vectors, of any length.
  static double dot(const double* left, const double* right, size_t count) {
    double result = 0.0;
    product(left, right, count, 1, &result);
    return result;
  }

 private:
  static std::atomic<const NumpyTable*>& table() {
    static std::atomic<const NumpyTable*> table{nullptr};
    return table;
  }
};

}  // namespace suite
#endif  // PARALLEL_POOL_DMC_NUMPY_MATH_HPP_
