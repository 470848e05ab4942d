#include "plugin/env_spec.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "base/dtypes.hpp"
#include "parallel_pool/dtypes.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"

namespace pp::python {
namespace {

const char* kind_name(uint32_t kind) {
  static const char* const names[] = {"",    "box", "discrete", "multi_discrete", "multi_binary",
                                      "text"};
  return names[kind];
}

py::object bounds_to_python(const host::FieldSpec& field,
                            const std::vector<unsigned char>& bounds) {
  if (bounds.empty()) return py::none();
  const py::dtype dtype = numpy_dtype(field.dtype);
  const auto n = static_cast<py::ssize_t>(bounds.size()) / dtype.itemsize();
  if (n == 1) return py::array(dtype, std::vector<py::ssize_t>{}, {}, bounds.data());
  std::vector<py::ssize_t> shape(field.shape.begin(), field.shape.end());
  return py::array(dtype, shape, {}, bounds.data());
}

uint32_t number_of(const char* (*name_of)(uint32_t), uint32_t last, const std::string& name) {
  for (uint32_t i = 0; i <= last; ++i) {
    if (name == name_of(i)) return i;
  }
  throw py::value_error("a field has an unknown role or kind: " + name);
}

uint32_t abi_dtype(const py::dtype& dtype, const std::string& field) {
  for (const uint32_t each : dtypes::all) {
    if (dtype.equal(numpy_dtype(each))) return each;
  }
  throw py::value_error("field '" + field + "' has the dtype " +
                        py::str(dtype).cast<std::string>() +
                        ", which no pool can hold; use a bool, an integer or float32 or float64");
}

}  // namespace

host::EnvSpec describe_env(const pp_env& env, const host::OptionValues& options) {
  const host::ErrorSink sink;
  const pp_spec* spec = host::without_exceptions(
      [&] { return env.describe(&host::host_table(), options.data()); }, nullptr);
  if (spec == nullptr) throw py::value_error(std::string(env.id) + ": " + sink.text());
  try {
    host::EnvSpec copy = host::copy_spec(*spec, env.id);
    if ((env.flags & PP_ENV_RESETS_ITSELF) != 0u &&
        (copy.multi_player() || copy.find(PP_ROLE_SCORE) >= 0)) {
      throw host::Error(host::ErrorKind::plugin,
                        std::string(env.id) +
                            " resets itself, and has several players or a score: that is for "
                            "environments of one player without a score");
    }
    env.release_spec(spec);
    return copy;
  } catch (...) {
    env.release_spec(spec);
    throw;
  }
}

py::dict spec_to_python(const host::EnvSpec& spec) {
  py::list fields;
  for (const host::FieldSpec& field : spec.fields) {
    py::dict entry;
    entry["role"] = host::role_name(field.role);
    entry["name"] = field.name;
    entry["kind"] = kind_name(field.kind);
    entry["dtype"] = numpy_dtype(field.dtype);
    entry["shape"] = py::tuple(py::cast(field.shape));
    entry["low"] = bounds_to_python(field, field.low);
    entry["high"] = bounds_to_python(field, field.high);
    entry["per_player"] = field.per_player;
    fields.append(entry);
  }
  py::dict result;
  result["fields"] = fields;
  result["max_players"] = spec.max_players;
  result["max_episode_steps"] = spec.max_episode_steps;
  result["reward_threshold"] = spec.reward_threshold;
  return result;
}

host::EnvSpec spec_from_python(const py::list& fields, uint32_t max_players,
                               const std::string& env_id) {
  std::deque<std::string> names;
  std::deque<py::array> bounds;
  std::deque<pp_field> made;
  std::vector<const pp_field*> pointers;
  for (const py::handle each : fields) {
    const auto entry = each.cast<py::dict>();
    names.push_back(entry["name"].cast<std::string>());
    pp_field field{};
    field.struct_size = sizeof field;
    field.role = number_of(host::role_name, host::last_role, entry["role"].cast<std::string>());
    field.kind = number_of(kind_name, PP_KIND_TEXT, entry["kind"].cast<std::string>());
    const py::dtype dtype = entry["dtype"].cast<py::dtype>();
    field.dtype = abi_dtype(dtype, names.back());
    field.name = names.back().c_str();
    if (entry["per_player"].cast<bool>()) field.flags |= PP_FIELD_PER_PLAYER;
    const auto shape = entry["shape"].cast<std::vector<int64_t>>();
    if (shape.size() > PP_MAX_DIMS) {
      throw py::value_error("field '" + names.back() + "' has more than 8 dimensions");
    }
    field.ndim = static_cast<uint32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), field.shape);
    const auto bound = [&](const char* key, const void** data, uint32_t* n) {
      if (entry[key].is_none()) return;
      const py::object array = py::module_::import("numpy").attr("ascontiguousarray")(
          entry[key], py::arg("dtype") = dtype);
      bounds.push_back(array.cast<py::array>());
      *data = bounds.back().data();
      *n = static_cast<uint32_t>(bounds.back().size());
    };
    bound("low", &field.low, &field.n_low);
    bound("high", &field.high, &field.n_high);
    made.push_back(field);
    pointers.push_back(&made.back());
  }
  pp_spec spec{};
  spec.struct_size = sizeof spec;
  spec.n_field = static_cast<uint32_t>(pointers.size());
  spec.field = pointers.data();
  spec.max_players = max_players;
  spec.reward_threshold = std::numeric_limits<double>::quiet_NaN();
  return host::copy_spec(spec, env_id);
}

}  // namespace pp::python
