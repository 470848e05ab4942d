// Arrays as users give them, made readable, and the words of what is wrong with them.
#ifndef PARALLEL_POOL_SRC_ACTIONS_GIVEN_ARRAYS_HPP_
#define PARALLEL_POOL_SRC_ACTIONS_GIVEN_ARRAYS_HPP_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "actions/action_values.hpp"

namespace pp::python {

namespace py = pybind11;

// A C-contiguous, aligned array in native byte order, of any dtype of numbers. `label`: its name in
// messages. Throws type_error.
py::array as_array(py::handle value, const std::string& label);

inline RawArray raw_of(const py::array& array) {
  return {array.dtype().kind(), static_cast<size_t>(array.itemsize()), array.data()};
}

std::string shape_text(const py::ssize_t* shape, size_t ndim);

[[noreturn]] void wrong_dtype(const std::string& label, const py::dtype& dtype, const char* wanted,
                              const char* fix);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_ACTIONS_GIVEN_ARRAYS_HPP_
