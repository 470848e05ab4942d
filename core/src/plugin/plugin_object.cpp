#include "plugin/plugin_object.hpp"

#include <pybind11/stl.h>

#include <map>
#include <mutex>

#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/plugin/extension.hpp"
#include "parallel_pool/host/workers/isolated_spec.hpp"
#include "parallel_pool/per_process.hpp"
#include "plugin/env_spec.hpp"
#include "plugin/option_values.hpp"

namespace pp::python {

Plugin::Plugin(const std::string& path) {
  // One Library per file: its mutex guards the state that all its environments share.
  static PerProcess<std::mutex> mutex;
  static auto& loaded = *new std::map<std::string, host::Library*>();
  const std::lock_guard<std::mutex> lock(mutex.get());
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
               const py::list& fields, uint32_t max_players)
    : python_(std::make_shared<Python>()) {
  python_->family = family;
  python_->version = version;
  python_->env_id = env_id;
  python_->spec = spec_from_python(fields, max_players, env_id);
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

host::EnvSpec Plugin::spec(const pp_env& env, const host::OptionValues& options) const {
  return python_ ? python_->spec : describe_env(env, options);
}

py::dict Plugin::describe(const std::string& env_id, const py::dict& options, bool isolated) const {
  const pp_env& env = library_->env(env_id);
  const host::EnvSpec described = spec(env, *parse_options(env, options));
  py::dict result =
      spec_to_python(isolated ? host::workers::isolated_spec(described, env_id) : described);
  result["resets_itself"] = (env.flags & PP_ENV_RESETS_ITSELF) != 0u;
  return result;
}

void bind_plugin(py::module_& module) {
  py::class_<Plugin>(module, "Plugin",
                     "A loaded plugin library. Loading the same file twice gives the same library.")
      .def(py::init<const std::string&>(), py::arg("path"))
      .def(py::init<const std::string&, const std::string&, const std::string&, const py::list&,
                    uint32_t>(),
           py::kw_only(), py::arg("family"), py::arg("version"), py::arg("env_id"),
           py::arg("fields"), py::arg("max_players") = 1)
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
