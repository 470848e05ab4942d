// Arrays as users give them, made readable, and the words of what is wrong with them.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "actions/action_values.hpp"
#include "base/dtypes.hpp"

namespace pp::python {

namespace py = pybind11;

// A C-contiguous, aligned array in native byte order, of any dtype of numbers. `label`: its name in
// messages. Throws type_error.
py::array as_array(py::handle value, const std::string& label);

inline RawArray raw_of(const py::array& array) {
  return {dtype_of(array), array.data()};
}

std::string shape_text(const py::ssize_t* shape, size_t ndim);
// The repr of a user's value, of a long one the ends.
std::string shortened(py::handle value);

[[noreturn]] void wrong_dtype(const std::string& label, const py::dtype& dtype, const char* wanted,
                              const char* fix);

}  // namespace pp::python
