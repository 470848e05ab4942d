#include "actions/given_arrays.hpp"

#include <pybind11/stl.h>

#include <string>

#include "base/dtypes.hpp"

namespace pp::python {
namespace {

// Returns the code that makes an array of a tensor, or of an array of another library, that numpy
// cannot read; empty: unknown.
std::string conversion_for(py::handle value) {
  // Attributes that are not there, or raise, are no hint.
  const auto holds = [&value](const char* attribute, const char* word) {
    try {
      return py::str(value.attr(attribute)).cast<std::string>().find(word) != std::string::npos;
    } catch (const py::error_already_set& error) {
      if (!is_of_value(error) && !error.matches(PyExc_AttributeError)) throw;
      return false;
    }
  };
  std::string calls;
  if (holds("requires_grad", "True")) calls += ".detach()";
  if (holds("device", "cuda") || holds("device", "mps")) calls += ".cpu()";
  if (holds("dtype", "bfloat16")) {
    calls += py::hasattr(value, "detach") ? ".float()" : ".astype('float32')";
  }
  return calls.empty() ? calls : ": pass it as action" + calls;
}

// numpy reads what lies behind a mask as well.
void refuse_mask(py::handle value, const std::string& label) {
  if (!py::detail::npy_api::get().PyArray_Check_(value.ptr())) return;
  if (py::isinstance(value, py::module_::import("numpy").attr("ma").attr("MaskedArray"))) {
    throw py::type_error(label +
                         " is a masked array, and nothing stands for what is masked: pass " +
                         label.substr(label.find(' ') + 1) + ".filled(...), with the values");
  }
}

py::array converted(py::handle value, const std::string& label, int flags) {
  refuse_mask(value, label);
  try {
    return array_of(value, flags);
  } catch (py::error_already_set& error) {
    if (!is_of_value(error)) throw;
    raise_instead(
        error, PyExc_TypeError,
        label + " is no array of numbers" + conversion_for(value) + ": " + shortened(value));
  }
}

}  // namespace

py::array as_array(py::handle value, const std::string& label) {
  const int flags = py::array::c_style | int{py::detail::npy_api::NPY_ARRAY_ALIGNED_};
  py::array array = is_array(value, flags) ? py::reinterpret_borrow<py::array>(value)
                                           : converted(value, label, flags);
  const char order = array.dtype().byteorder();
  if (order != '=' && order != '|') {
    array = py::array::ensure(array.attr("astype")(array.dtype().attr("newbyteorder")("=")));
  }
  return array;
}

std::string shortened(py::handle value) {
  const py::module_ module = py::module_::import("parallel_pool.registry.described");
  return module.attr("shortened")(value).cast<std::string>();
}

std::string shape_text(const py::ssize_t* shape, size_t ndim) {
  std::string text = "(";
  for (size_t d = 0; d < ndim; ++d) text += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return text + (ndim == 1 ? ",)" : ")");
}

void wrong_dtype(const std::string& label, const py::dtype& dtype, const char* wanted,
                 const char* fix) {
  throw py::type_error(label + " has dtype " + py::str(dtype).cast<std::string>() + ", but " +
                       wanted + ": " + fix);
}

}  // namespace pp::python
