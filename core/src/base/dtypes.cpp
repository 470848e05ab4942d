#include "base/dtypes.hpp"

#include <string>
#include <type_traits>

#include "parallel_pool/dtypes.hpp"

namespace pp::python {

namespace py = pybind11;

char kind_of(uint32_t dtype) {
  return dtypes::visit(dtype, [](auto element) {
    using Type = typename decltype(element)::Type;
    if (std::is_same_v<Type, bool>) return 'b';
    if (std::is_floating_point_v<Type>) return 'f';
    return std::is_signed_v<Type> ? 'i' : 'u';
  });
}

py::dtype numpy_dtype(uint32_t dtype) {
  return py::dtype(kind_of(dtype) + std::to_string(dtypes::item_size(dtype)));
}

bool is_array(py::handle value, int flags) {
  // Which numpy would find out too, with 400 instructions.
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
