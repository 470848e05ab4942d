#include "base/dtypes.hpp"

#include <iterator>
#include <string>

#include "parallel_pool/dtypes.hpp"

namespace pp::python {

namespace py = pybind11;

py::dtype numpy_dtype(uint32_t dtype) {
  return dtypes::visit(dtype, [](auto element) { return py::dtype(element.name); });
}

uint32_t dtype_of(const py::array& array) {
  // They are in the order of numpy's own numbers.
  static constexpr uint32_t all[] = {dtypes::of<bool>(),
                                     dtypes::of<signed char>(),
                                     dtypes::of<unsigned char>(),
                                     dtypes::of<short>(),
                                     dtypes::of<unsigned short>(),
                                     dtypes::of<int>(),
                                     dtypes::of<unsigned>(),
                                     dtypes::of<long>(),
                                     dtypes::of<unsigned long>(),
                                     dtypes::of<long long>(),
                                     dtypes::of<unsigned long long>(),
                                     dtypes::of<float>(),
                                     dtypes::of<double>()};
  const auto number = static_cast<size_t>(array.dtype().num());
  return number < std::size(all) ? all[number] : 0;
}

bool is_array(py::handle value, int flags) {
  // numpy would find that out too, with 400 instructions.
  return reinterpret_cast<PyTypeObject*>(py::detail::npy_api::get().PyArray_Type_) ==
             Py_TYPE(value.ptr()) &&
         py::detail::check_flags(value.ptr(), flags);
}

py::array array_of(py::handle value, int flags) {
  using Numpy = py::detail::npy_api;
  if (is_array(value, flags)) return py::reinterpret_borrow<py::array>(value);
  PyObject* made = Numpy::get().PyArray_FromAny_(value.ptr(), nullptr, 0, 0,
                                                 Numpy::NPY_ARRAY_ENSUREARRAY_ | flags, nullptr);
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::array>(made);
}

bool is_of_value(const py::error_already_set& error) {
  const PyObject* type = error.type().ptr();
  return error.matches(PyExc_TypeError) || type == PyExc_ValueError || type == PyExc_RuntimeError ||
         type == PyExc_OverflowError;
}

void raise_instead(py::error_already_set& error, PyObject* type, const std::string& text) {
  py::raise_from(error, type, text.c_str());
  throw py::error_already_set();
}

}  // namespace pp::python
