#include "actions/actions.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "actions/integer_range.hpp"
#include "base/dtypes.hpp"
#include "parallel_pool/abi.h"
#include "parallel_pool/host/plugin/env_ids.hpp"

namespace pp::python {
namespace {

std::string shape_text(const py::ssize_t* shape, size_t ndim) {
  std::string text = "(";
  for (size_t d = 0; d < ndim; ++d) text += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return text + (ndim == 1 ? ",)" : ")");
}

// What makes an array of a tensor or an array of another library that numpy cannot read as it is;
// empty: nobody knows.
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
    raise_instead(error, PyExc_TypeError,
                  label + " is no array of numbers" + conversion_for(value) + ": " +
                      py::repr(value).cast<std::string>());
  }
}

// A C-contiguous, aligned array in native byte order, of any of the dtypes handled below.
py::array as_array(py::handle value, const std::string& label) {
  const int flags = py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  py::array array = is_array(value, flags) ? py::reinterpret_borrow<py::array>(value)
                                           : converted(value, label, flags);
  const char order = array.dtype().byteorder();
  if (order != '=' && order != '|') {
    array = py::array::ensure(array.attr("astype")(array.dtype().attr("newbyteorder")("=")));
  }
  return array;
}

[[noreturn]] void wrong_dtype(const std::string& label, const py::dtype& dtype, const char* wanted,
                              const char* fix) {
  throw py::type_error(label + " has dtype " + py::str(dtype).cast<std::string>() + ", but " +
                       wanted + ": " + fix);
}

}  // namespace

ActionChecker::ActionChecker(const host::EnvSpec& spec, const py::object& tree, ActionPolicy policy,
                             uint32_t num_envs)
    : policy_(policy), num_envs_(num_envs), max_players_(spec.max_players) {
  collect(spec, tree, {}, "the action");
}

void ActionChecker::collect(const host::EnvSpec& spec, const py::handle& tree,
                            std::vector<py::object> path, const std::string& label) {
  if (py::isinstance<py::int_>(tree)) {
    const auto field = tree.cast<size_t>();
    leaves_.push_back({field, spec.fields.at(field), std::move(path), label});
  } else if (py::isinstance<py::dict>(tree)) {
    for (const auto& item : tree.cast<py::dict>()) {
      path.push_back(py::reinterpret_borrow<py::object>(item.first));
      collect(spec, item.second, path,
              label + "['" + py::str(item.first).cast<std::string>() + "']");
      path.pop_back();
    }
  } else {
    size_t index = 0;
    for (const py::handle member : tree.cast<py::tuple>()) {
      path.push_back(py::int_(index));
      collect(spec, member, path, label + "[" + std::to_string(index) + "]");
      path.pop_back();
      ++index;
    }
  }
}

template <class Take>
void ActionChecker::each_member(py::handle action, Take&& take) const {
  for (const Leaf& leaf : leaves_) {
    if (leaf.path.empty()) {
      take(leaf, action);
      continue;
    }
    py::object value = py::reinterpret_borrow<py::object>(action);
    for (const py::object& key : leaf.path) {
      PyObject* member = PyObject_GetItem(value.ptr(), key.ptr());
      if (member == nullptr) {
        py::error_already_set error;
        if (!is_of_value(error) && !error.matches(PyExc_LookupError)) throw error;
        raise_instead(error, PyExc_ValueError,
                      "the action space is nested and " + leaf.label +
                          " is missing: the action is " + py::repr(value).cast<std::string>());
      }
      value = py::reinterpret_steal<py::object>(member);
    }
    take(leaf, value);
  }
}

void ActionChecker::convert(py::handle action, uint32_t n, std::vector<py::array>& arrays) const {
  each_member(action, [&](const Leaf& leaf, py::handle value) {
    arrays.push_back(convert_field(leaf, value, n));
  });
}

void ActionChecker::expect_shape(const Leaf& leaf, const py::ssize_t* shape, size_t given,
                                 uint32_t n) const {
  const host::FieldSpec& field = leaf.spec;
  const size_t ndim = field.shape.size() + 1;
  // Players come flat, how many is known later, or as a row of max_players for each environment.
  const bool padded = field.per_player && given == ndim + 1;
  bool shaped = padded || given == ndim;
  if (shaped && (padded || !field.per_player)) shaped = shape[0] == static_cast<py::ssize_t>(n);
  if (shaped && padded) shaped = shape[1] == max_players_;
  for (size_t d = 0; shaped && d < field.shape.size(); ++d) {
    shaped = shape[d + given - field.shape.size()] == field.shape[d];
  }
  if (!shaped) refuse_shape(leaf, shape, given, n);
}

void ActionChecker::refuse_shape(const Leaf& leaf, const py::ssize_t* shape, size_t given,
                                 uint32_t n) const {
  const host::FieldSpec& field = leaf.spec;
  std::string rest;
  for (const int64_t dim : field.shape) rest += " " + std::to_string(dim) + ",";
  const auto tuple = [&rest](const std::string& front) {
    std::string text = "(" + front + "," + rest;
    if (text.back() == ',' && text.find(' ') != std::string::npos) text.pop_back();
    return text + ")";
  };
  const std::string count = std::to_string(n);
  const std::string has = leaf.label + " has shape " + shape_text(shape, given) + ", expected ";
  if (field.per_player) {
    throw py::value_error(has + tuple("players") + ", one row for each player shown last, or " +
                          tuple(count + ", " + std::to_string(max_players_)) +
                          ", one for each place in the " + count + " environments");
  }
  throw py::value_error(has + tuple(count) + ": one row for each of the " + count +
                        " environments");
}

void ActionChecker::expect_dtype(const Leaf& leaf, const py::dtype& dtype) {
  const bool integral = leaf.spec.dtype != PP_FLOAT32 && leaf.spec.dtype != PP_FLOAT64;
  const char kind = dtype.kind();
  if (integral && kind != 'i' && kind != 'u' && !(is_binary(leaf.spec) && kind == 'b')) {
    wrong_dtype(leaf.label, dtype, "the action space takes integers",
                "convert it yourself if that is what you mean, action.astype(numpy.int64)");
  }
  if (!integral && kind != 'f' && kind != 'i' && kind != 'u') {
    wrong_dtype(leaf.label, dtype, "the action space takes real numbers",
                "pass float32 or float64, as action.astype('float32') is");
  }
}

py::array ActionChecker::convert_field(const Leaf& leaf, py::handle value, uint32_t n) const {
  py::array array = as_array(value, leaf.label);
  expect_shape(leaf, array.shape(), static_cast<size_t>(array.ndim()), n);
  if (array.size() == 0) return array;  // nobody acts: an empty list has no dtype of its own
  const py::dtype dtype = array.dtype();
  expect_dtype(leaf, dtype);
  // float16 and long double are rare: through numpy.
  if (dtype.kind() == 'f' && dtype.itemsize() != 4 && dtype.itemsize() != 8) {
    return py::array::ensure(array.attr("astype")("float64"));
  }
  return array;
}

py::list ActionChecker::members(py::handle action) const {
  py::list all;
  each_member(action, [&](const Leaf& leaf, py::handle value) {
    all.append(py::make_tuple(value, numpy_dtype(leaf.spec.dtype)));
  });
  return all;
}

py::array ActionChecker::array(size_t leaf, py::handle value, uint32_t n) const {
  return convert_field(leaves_.at(leaf), value, n);
}

void ActionChecker::expect(size_t leaf, const std::vector<py::ssize_t>& shape,
                           const py::dtype& dtype, uint32_t n) const {
  expect_shape(leaves_.at(leaf), shape.data(), shape.size(), n);
  if (std::find(shape.begin(), shape.end(), 0) == shape.end()) {
    expect_dtype(leaves_.at(leaf), dtype);
  }
}

namespace {

template <class T>
void copy_ids(const void* array, size_t count, uint32_t num_envs, std::vector<uint32_t>& storage) {
  const T* data = static_cast<const T*>(array);
  for (size_t i = 0; i < count; ++i) {
    if (!fits(data[i], uint32_t{0}, num_envs - 1)) {
      throw host::no_such_env(std::to_string(data[i]), num_envs);
    }
    storage.push_back(static_cast<uint32_t>(data[i]));
  }
}

}  // namespace

const uint32_t* parse_env_ids(const RawArray& array, size_t count, uint32_t num_envs,
                              std::vector<uint32_t>& storage, uint32_t* n) {
  const auto copy = [&](auto number) {
    copy_ids<decltype(number)>(array.data, count, num_envs, storage);
  };
  storage.clear();
  switch (static_cast<int>(array.item) * (array.kind == 'i' ? 1 : -1)) {
    case 8:
      copy(int64_t{});
      break;
    case 4:
      copy(int32_t{});
      break;
    case 2:
      copy(int16_t{});
      break;
    case 1:
      copy(int8_t{});
      break;
    case -8:
      copy(uint64_t{});
      break;
    case -4:
      copy(uint32_t{});
      break;
    case -2:
      copy(uint16_t{});
      break;
    default:
      copy(uint8_t{});
      break;
  }
  *n = static_cast<uint32_t>(storage.size());
  // All of them in order is the common way to say "all", and has a faster path.
  if (storage.size() == num_envs) {
    bool in_order = true;
    for (uint32_t i = 0; i < num_envs && in_order; ++i) in_order = storage[i] == i;
    if (in_order) return nullptr;
  }
  return storage.data();
}

void expect_ids(const py::ssize_t* shape, size_t ndim, const py::dtype& dtype) {
  if (ndim > 1) {
    throw py::value_error("env_id has shape " + shape_text(shape, ndim) +
                          ", expected one dimension");
  }
  if (ndim == 1 && shape[0] == 0) {
    throw py::value_error("env_id is empty: name at least one environment");
  }
  if (dtype.kind() != 'i' && dtype.kind() != 'u') {
    wrong_dtype("env_id", dtype, "ids are integers", "pass an int32 array");
  }
}

const uint32_t* parse_env_ids(py::handle env_id, uint32_t num_envs, std::vector<uint32_t>& storage,
                              uint32_t* n) {
  *n = num_envs;
  if (env_id.is_none()) return nullptr;
  const py::array array = as_array(env_id, "env_id");
  expect_ids(array.shape(), static_cast<size_t>(array.ndim()), array.dtype());
  return parse_env_ids(raw_of(array), static_cast<size_t>(array.size()), num_envs, storage, n);
}

}  // namespace pp::python
