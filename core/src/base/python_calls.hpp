// Functions that CPython calls without pybind11 between.
#pragma once

#include <pybind11/pybind11.h>

namespace pp::python {

// Returns what `call` returns, an object; NULL after an exception, which is Python's then.
template <class Call>
PyObject* called_from_python(Call&& call) {
  try {
    try {
      return call().release().ptr();
    } catch (pybind11::error_already_set& error) {
      error.restore();
    }
  } catch (...) {
    pybind11::detail::try_translate_exceptions();
  }
  return nullptr;
}

}  // namespace pp::python
