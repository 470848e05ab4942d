#include "dtypes.hpp"

#include <string>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::python {

namespace py = pybind11;

char kind_of(uint32_t dtype) {
  switch (dtype) {
    case PP_BOOL:
      return 'b';
    case PP_INT8:
    case PP_INT16:
    case PP_INT32:
    case PP_INT64:
      return 'i';
    case PP_UINT8:
    case PP_UINT16:
    case PP_UINT32:
    case PP_UINT64:
      return 'u';
    default:
      return 'f';
  }
}

py::dtype numpy_dtype(uint32_t dtype) {
  return py::dtype(kind_of(dtype) + std::to_string(host::item_size(dtype)));
}

py::array array_of(py::handle value, int flags) {
  using Numpy = py::detail::npy_api;
  // Which numpy would find out too, with 400 instructions.
  const bool is_one =
      reinterpret_cast<PyTypeObject*>(Numpy::get().PyArray_Type_) == Py_TYPE(value.ptr());
  if (is_one && py::detail::check_flags(value.ptr(), flags)) {
    return py::reinterpret_borrow<py::array>(value);
  }
  PyObject* made = Numpy::get().PyArray_FromAny_(value.ptr(), nullptr, 0, 0,
                                                 Numpy::NPY_ARRAY_ENSUREARRAY_ | flags, nullptr);
  if (made == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw py::error_already_set();
    PyErr_Clear();
  }
  return py::reinterpret_steal<py::array>(made);
}

}  // namespace pp::python
