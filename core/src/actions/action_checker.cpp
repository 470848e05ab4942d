#include "actions/action_checker.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "actions/given_arrays.hpp"
#include "base/dtypes.hpp"
#include "parallel_pool/abi.h"
#include "parallel_pool/dtypes.hpp"

namespace pp::python {
ActionChecker::ActionChecker(const host::EnvSpec& spec, const py::object& tree, ActionPolicy policy,
                             uint32_t num_envs, uint32_t chunk)
    : policy_(policy), num_envs_(num_envs), chunk_(chunk), max_players_(spec.max_players) {
  collect(spec, tree, {}, "the action");
}

void ActionChecker::collect(const host::EnvSpec& spec, const py::handle& tree,
                            std::vector<py::object> path, const std::string& label) {
  if (py::isinstance<py::int_>(tree)) {
    const auto field = tree.cast<size_t>();
    const host::FieldSpec& one = spec.fields.at(field);
    std::vector<int64_t> shape = one.shape;
    if (chunk_ != 0) shape.insert(shape.begin(), chunk_);
    leaves_.push_back({field, one, std::move(path), label, std::move(shape)});
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
                          " is missing: the action is " + shortened(value));
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
  const size_t ndim = leaf.shape.size() + 1;
  // Players come flat, how many is known later, or as a row of max_players for each environment.
  const bool padded = field.per_player && given == ndim + 1;
  bool shaped = padded || given == ndim;
  if (shaped && (padded || !field.per_player)) shaped = shape[0] == static_cast<py::ssize_t>(n);
  if (shaped && padded) shaped = shape[1] == max_players_;
  for (size_t d = 0; shaped && d < leaf.shape.size(); ++d) {
    shaped = shape[d + given - leaf.shape.size()] == leaf.shape[d];
  }
  if (!shaped) refuse_shape(leaf, shape, given, n);
}

void ActionChecker::refuse_shape(const Leaf& leaf, const py::ssize_t* shape, size_t given,
                                 uint32_t n) const {
  const host::FieldSpec& field = leaf.spec;
  std::string rest;
  for (const int64_t dim : leaf.shape) rest += " " + std::to_string(dim) + ",";
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
  const bool integral = !dtypes::is_floating(leaf.spec.dtype);
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
  if (array.size() == 0) return array;  // no player acts: an empty list has no dtype of its own
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

}  // namespace pp::python
