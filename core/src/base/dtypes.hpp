// The dtypes of the ABI (PP_BOOL and so on), as numpy's.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <string>

namespace pp::python {

pybind11::dtype numpy_dtype(uint32_t dtype);
// The dtype of an array in native byte order; 0: it has another one.
uint32_t dtype_of(const pybind11::array& array);

// Returns true if numpy would return `value` itself for these flags.
bool is_array(pybind11::handle value, int flags);
// `value` as an array. Raises what Python code raises that runs meanwhile, a signal handler's too:
// py::array::ensure would swallow it.
pybind11::array array_of(pybind11::handle value, int flags);

// Returns true if an error is one that libraries raise for a value that they cannot convert. Others
// come from Python code of the user's, a signal handler or a method, and are passed on as they are.
bool is_of_value(const pybind11::error_already_set& error);
// Raises `type` with `error` as its cause.
[[noreturn]] void raise_instead(pybind11::error_already_set& error, PyObject* type,
                                const std::string& text);

}  // namespace pp::python
