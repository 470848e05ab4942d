#include "plugin/option_values.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <string>

#include "base/dtypes.hpp"
#include "parallel_pool/host/plugin/error_sink.hpp"

namespace pp::python {
namespace {

const char* option_kind_name(uint32_t kind) {
  static const char* const names[] = {"", "int", "float", "bool", "str", "array"};
  return kind <= PP_OPTION_ARRAY ? names[kind] : "unknown";
}

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

}  // namespace

py::list options_to_python(const pp_option* const* declared, uint32_t count) {
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

std::unique_ptr<host::OptionValues> parse_options(const pp_env& env, const py::dict& options) {
  return parse_options(env.id, env.option, env.n_option, options);
}

std::vector<host::ResetOptions::Values> parse_reset_options(const char* env_id,
                                                            const pp_reset_options* extension,
                                                            const py::object& options, uint32_t n) {
  if (extension == nullptr) {
    throw host::Error(host::ErrorKind::not_offered,
                      std::string(env_id) + " takes no reset options");
  }
  const auto parsed = [&](const py::handle& each) {
    host::ResetOptions::Values values =
        parse_options(env_id, extension->option, extension->n_option, each.cast<py::dict>());
    const host::ErrorSink sink;
    if (extension->check != nullptr && extension->check(&host::host_table(), values->data()) != 0) {
      throw host::Error(host::ErrorKind::value, std::string(env_id) + ": " + sink.text());
    }
    return values;
  };
  if (py::isinstance<py::dict>(options)) {
    return std::vector<host::ResetOptions::Values>(n, parsed(options));
  }
  std::vector<host::ResetOptions::Values> all;
  for (const py::handle each : options) {
    all.push_back(each.is_none() ? nullptr : parsed(each));
  }
  if (all.size() != n) {
    throw py::value_error("there are reset options for " + std::to_string(all.size()) +
                          " environments, and these are " + std::to_string(n));
  }
  return all;
}

OptionsOfEnvs::OptionsOfEnvs(const pp_env& env, const std::vector<py::dict>& options)
    : OptionsOfEnvs(std::vector<const pp_env*>(options.size(), &env), options) {}

OptionsOfEnvs::OptionsOfEnvs(const std::vector<const pp_env*>& envs,
                             const std::vector<py::dict>& options) {
  for (size_t i = 0; i < options.size(); ++i) {
    std::unique_ptr<host::OptionValues>& values = parsed_[options[i].ptr()];
    if (values == nullptr) values = parse_options(*envs[i], options[i]);
    values_.push_back(values.get());
  }
}

}  // namespace pp::python
