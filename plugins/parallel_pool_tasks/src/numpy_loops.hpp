// numpy's own loops of exp, sin, matmul and so on: plain C functions that need no lock of Python's.
// numpy rounds some of them otherwise than the C library, which ones depends on its version and the
// processor, and its products are its BLAS's. python/.../program/numpy_loops.py hands them over.
#ifndef PARALLEL_POOL_TASKS_NUMPY_LOOPS_HPP_
#define PARALLEL_POOL_TASKS_NUMPY_LOOPS_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "ops.hpp"

namespace tasks {

// The type of a PyUFuncObject's loops. Strides are in bytes.
struct NumpyLoop {
  void (*run)(char** arrays, const ptrdiff_t* counts, const ptrdiff_t* strides, void* data);
  void* data;
};

// The loops of each function in the order of ops.hpp, for float64 and float32; then matmul's.
struct NumpyLoops {
  static constexpr uint64_t expected = 0x706f6f6c6b736174;  // "taskloop", read as a number
  uint64_t magic;
  NumpyLoop loops[numpy_count + 1][2];

  // `address` is that of the process's one table. Throws std::invalid_argument.
  static const NumpyLoops* at(int64_t address) {
    const auto* given = reinterpret_cast<const NumpyLoops*>(address);
    uint64_t magic = 0;
    if (given != nullptr) std::memcpy(&magic, given, sizeof magic);
    if (magic != expected) {
      throw std::invalid_argument("the option 'numpy_loops' is set by the plugin, not by users");
    }
    return given;
  }
  const NumpyLoop& of(Op op, Kind kind) const {
    const size_t row = op == Op::matmul ? numpy_count : static_cast<size_t>(op) - first_of_numpy;
    return loops[row][kind == Kind::float32 ? 1 : 0];
  }
};

}  // namespace tasks
#endif  // PARALLEL_POOL_TASKS_NUMPY_LOOPS_HPP_
