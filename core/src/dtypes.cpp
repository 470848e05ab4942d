#include "dtypes.hpp"

#include "parallel_pool/abi.h"

namespace pp::python {

namespace py = pybind11;

py::dtype numpy_dtype(uint32_t dtype) {
  switch (dtype) {
    case PP_BOOL:
      return py::dtype::of<bool>();
    case PP_INT8:
      return py::dtype::of<int8_t>();
    case PP_INT16:
      return py::dtype::of<int16_t>();
    case PP_INT32:
      return py::dtype::of<int32_t>();
    case PP_INT64:
      return py::dtype::of<int64_t>();
    case PP_UINT8:
      return py::dtype::of<uint8_t>();
    case PP_UINT16:
      return py::dtype::of<uint16_t>();
    case PP_UINT32:
      return py::dtype::of<uint32_t>();
    case PP_UINT64:
      return py::dtype::of<uint64_t>();
    case PP_FLOAT32:
      return py::dtype::of<float>();
    default:
      return py::dtype::of<double>();
  }
}

py::array array_of(py::handle value, int flags) {
  using Numpy = py::detail::npy_api;
  PyObject* made = Numpy::get().PyArray_FromAny_(value.ptr(), nullptr, 0, 0,
                                                 Numpy::NPY_ARRAY_ENSUREARRAY_ | flags, nullptr);
  if (made == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw py::error_already_set();
    PyErr_Clear();
  }
  return py::reinterpret_steal<py::array>(made);
}

}  // namespace pp::python
