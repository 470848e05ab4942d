// Plugins as Python sees them: what a library declares becomes dicts, and options of Python become
// its values. Long, because each of the two is the mirror of the other.
#include "plugin/plugin_object.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include "base/dtypes.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"
#include "parallel_pool/host/plugin/extension.hpp"
#include "parallel_pool/host/step/reset_options.hpp"
#include "workers/isolation.hpp"

namespace pp::python {
namespace {

py::object value_to_python(const pp_value& value) {
  switch (value.kind) {
    case PP_OPTION_INT:
      return py::int_(value.i);
    case PP_OPTION_FLOAT:
      return py::float_(value.f);
    case PP_OPTION_BOOL:
      return py::bool_(value.i != 0);
    case PP_OPTION_STRING:
      return py::str(value.s == nullptr ? "" : value.s);
    default:
      return py::array(numpy_dtype(value.dtype), {value.count}, {}, value.data);
  }
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

const char* kind_name(uint32_t kind) {
  static const char* const names[] = {"", "box", "discrete", "multi_discrete", "multi_binary"};
  return names[kind];
}

const char* option_kind_name(uint32_t kind) {
  static const char* const names[] = {"", "int", "float", "bool", "str", "array"};
  return kind <= PP_OPTION_ARRAY ? names[kind] : "unknown";
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

uint32_t number_of(const char* const* names, uint32_t n, const std::string& name) {
  for (uint32_t i = 0; i < n; ++i) {
    if (name == names[i]) return i;
  }
  throw py::value_error("a field has an unknown role or kind: " + name);
}

uint32_t abi_dtype(const py::dtype& dtype, const std::string& field) {
  for (uint32_t each = PP_BOOL; each <= PP_FLOAT64; ++each) {
    if (dtype.equal(numpy_dtype(each))) return each;
  }
  throw py::value_error("field '" + field + "' has the dtype " +
                        py::str(dtype).cast<std::string>() +
                        ", which no pool can hold; use a bool, an integer or float32 or float64");
}

// The inverse of spec_to_python, checked as a library's description is.
host::EnvSpec spec_from_python(const py::list& fields, const std::string& env_id) {
  static const char* const kinds[] = {"", "box", "discrete", "multi_discrete", "multi_binary"};
  static const char* const roles[] = {"",           "obs",       "info",     "action", "reward",
                                      "terminated", "truncated", "discount", "players"};
  std::deque<std::string> names;
  std::deque<py::array> bounds;
  std::deque<pp_field> made;
  std::vector<const pp_field*> pointers;
  for (const py::handle each : fields) {
    const auto entry = each.cast<py::dict>();
    names.push_back(entry["name"].cast<std::string>());
    pp_field field{};
    field.struct_size = sizeof field;
    field.role = number_of(roles, PP_ROLE_PLAYERS + 1, entry["role"].cast<std::string>());
    field.kind = number_of(kinds, PP_KIND_MULTI_BINARY + 1, entry["kind"].cast<std::string>());
    const py::dtype dtype = entry["dtype"].cast<py::dtype>();
    field.dtype = abi_dtype(dtype, names.back());
    field.name = names.back().c_str();
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
  spec.max_players = 1;
  spec.reward_threshold = std::numeric_limits<double>::quiet_NaN();
  return host::copy_spec(spec, env_id);
}

}  // namespace

Plugin::Plugin(const std::string& path) {
  // One Library per file: its mutex guards the state that all its environments share.
  static std::mutex mutex;
  static auto& loaded = *new std::map<std::string, host::Library*>();
  const std::lock_guard<std::mutex> lock(mutex);
  if (const auto found = loaded.find(path); found != loaded.end()) {
    library_ = found->second;
    return;
  }
  auto library = std::make_unique<host::Library>(path);
  // The loader knows a file by its inode: another path, by a link, gives the same library.
  for (const auto& [other, same] : loaded) {
    if (&same->plugin() != &library->plugin()) continue;
    library_ = same;
    loaded.emplace(path, same);
    return;
  }
  library_ = library.release();
  loaded.emplace(path, library_);
}

// A table like a library's, and the description that its describe() would give.
struct Plugin::Python {
  std::string family;
  std::string version;
  std::string env_id;
  host::EnvSpec spec;
  pp_env env{};
  const pp_env* envs[1] = {&env};
  pp_plugin plugin{};
  std::unique_ptr<host::Library> library;
};

Plugin::Plugin(const std::string& family, const std::string& version, const std::string& env_id,
               const py::list& fields)
    : python_(std::make_shared<Python>()) {
  python_->family = family;
  python_->version = version;
  python_->env_id = env_id;
  python_->spec = spec_from_python(fields, env_id);
  python_->env.struct_size = sizeof(pp_env);
  python_->env.preferred_lanes = 1;
  python_->env.id = python_->env_id.c_str();
  python_->plugin = {PP_ABI_MAGIC,
                     PP_ABI_MAJOR,
                     PP_ABI_MINOR,
                     PP_ABI_MIN_HOST,
                     python_->family.c_str(),
                     python_->version.c_str(),
                     sizeof(pp_plugin),
                     1u,
                     python_->envs};
  python_->library = std::make_unique<host::Library>(python_->plugin, "<Python>");
  library_ = python_->library.get();
}

py::list Plugin::env_ids() const {
  py::list ids;
  for (const pp_env* env : library_->envs()) ids.append(env->id);
  return ids;
}

static py::list options_to_python(const pp_option* const* declared, uint32_t count) {
  py::list options;
  for (uint32_t i = 0; i < count; ++i) {
    const pp_option& option = *declared[i];
    py::dict entry;
    entry["name"] = option.name;
    entry["kind"] = option_kind_name(option.value.kind);
    entry["default"] = value_to_python(option.value);
    entry["doc"] = option.doc == nullptr ? "" : option.doc;
    entry["low"] =
        (option.flags & PP_OPTION_HAS_LOW) != 0u ? py::object(py::float_(option.low)) : py::none();
    entry["high"] = (option.flags & PP_OPTION_HAS_HIGH) != 0u ? py::object(py::float_(option.high))
                                                              : py::none();
    py::list choices;
    for (uint32_t c = 0; c < option.n_choices; ++c) choices.append(option.choices[c]);
    entry["choices"] = py::tuple(choices);
    options.append(entry);
  }
  return options;
}

py::dict Plugin::declaration(const std::string& env_id) const {
  const pp_env& env = library_->env(env_id);
  const pp_reset_options* reset = host::find_extension<pp_reset_options>(env, PP_EXT_RESET_OPTIONS);
  py::dict result;
  result["id"] = env.id;
  result["summary"] = env.summary == nullptr ? "" : env.summary;
  result["preferred_lanes"] = env.preferred_lanes;
  result["exclusive"] = (env.flags & PP_ENV_EXCLUSIVE) != 0u;
  result["options"] = options_to_python(env.option, env.n_option);
  result["reset_options"] =
      reset == nullptr ? py::list() : options_to_python(reset->option, reset->n_option);
  return result;
}

std::unique_ptr<host::OptionValues> parse_options(const char* env_id,
                                                  const pp_option* const* declared, uint32_t count,
                                                  const py::dict& options) {
  auto values = std::make_unique<host::OptionValues>(declared, count);
  size_t used = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const pp_option& option = *declared[i];
    if (!options.contains(option.name)) continue;
    ++used;
    const py::object value = options[option.name];
    switch (option.value.kind) {
      case PP_OPTION_INT:
        values->set_integer(i, value.cast<int64_t>());
        break;
      case PP_OPTION_BOOL:
        values->set_integer(i, value.cast<bool>() ? 1 : 0);
        break;
      case PP_OPTION_FLOAT:
        values->set_real(i, value.cast<double>());
        break;
      case PP_OPTION_STRING:
        values->set_text(i, value.cast<std::string>());
        break;
      default:
        values->set_array(i, value.cast<std::vector<double>>());
        break;
    }
  }
  // Names and ranges were checked in Python, with better messages; this is the last line.
  if (used != options.size())
    throw py::value_error(std::string(env_id) + ": an option is not declared");
  return values;
}

std::unique_ptr<host::OptionValues> parse_options(const pp_env& env, const py::dict& options) {
  return parse_options(env.id, env.option, env.n_option, options);
}

std::shared_ptr<const host::OptionValues> parse_reset_options(const char* env_id,
                                                              const pp_reset_options* extension,
                                                              const py::dict& options) {
  if (extension == nullptr) {
    throw host::Error(host::ErrorKind::not_offered,
                      std::string(env_id) + " takes no reset options");
  }
  std::shared_ptr<const host::OptionValues> values =
      parse_options(env_id, extension->option, extension->n_option, options);
  const host::ErrorSink sink;
  if (extension->check != nullptr && extension->check(&host::host_table(), values->data()) != 0) {
    throw host::Error(host::ErrorKind::value, std::string(env_id) + ": " + sink.text());
  }
  return values;
}

host::EnvSpec describe_env(const pp_env& env, const host::OptionValues& options) {
  const host::ErrorSink sink;
  const pp_spec* spec = host::without_exceptions(
      [&] { return env.describe(&host::host_table(), options.data()); }, nullptr);
  if (spec == nullptr) throw py::value_error(std::string(env.id) + ": " + sink.text());
  try {
    host::EnvSpec copy = host::copy_spec(*spec, env.id);
    env.release_spec(spec);
    return copy;
  } catch (...) {
    env.release_spec(spec);
    throw;
  }
}

host::EnvSpec Plugin::spec(const pp_env& env, const host::OptionValues& options) const {
  return python_ ? python_->spec : describe_env(env, options);
}

py::dict Plugin::describe(const std::string& env_id, const py::dict& options, bool isolated) const {
  const pp_env& env = library_->env(env_id);
  const host::EnvSpec described = spec(env, *parse_options(env, options));
  return spec_to_python(isolated ? isolated_spec(described, env_id) : described);
}

void bind_plugin(py::module_& module) {
  py::class_<Plugin>(module, "Plugin",
                     "A loaded plugin library. Loading the same file twice gives the same library.")
      .def(py::init<const std::string&>(), py::arg("path"))
      .def(py::init<const std::string&, const std::string&, const std::string&, const py::list&>(),
           py::kw_only(), py::arg("family"), py::arg("version"), py::arg("env_id"),
           py::arg("fields"))
      .def_property_readonly("path", [](const Plugin& p) { return p.library().path(); })
      .def_property_readonly("name", [](const Plugin& p) { return p.library().plugin().name; })
      .def_property_readonly("version",
                             [](const Plugin& p) { return p.library().plugin().version; })
      .def_property_readonly("abi",
                             [](const Plugin& p) {
                               return py::make_tuple(p.library().plugin().abi_major,
                                                     p.library().plugin().abi_minor);
                             })
      .def_property_readonly("env_ids", &Plugin::env_ids)
      .def("declaration", &Plugin::declaration, py::arg("env_id"))
      .def("describe", &Plugin::describe, py::arg("env_id"), py::arg("options"),
           py::arg("isolated") = false);

  // For tests of the refusals: what a host of another version would say to a library's head.
  module.def(
      "_check_head",
      [](const Plugin& plugin, uint32_t host_major, uint32_t host_minor) {
        host::check_head(plugin.library().plugin(), plugin.library().path(),
                         {host_major, host_minor});
      },
      py::arg("plugin"), py::arg("host_major"), py::arg("host_minor"));
}

}  // namespace pp::python
