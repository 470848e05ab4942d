// A loaded plugin as a Python object: its facts, its environments' declarations and their specs.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "parallel_pool/host/plugin/library.hpp"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::python {

namespace py = pybind11;

class Plugin {
 public:
  explicit Plugin(const std::string& path);
  // A family of one environment that is no library: it is written in Python and lives in worker
  // processes. `fields` as spec_to_python gives them.
  Plugin(const std::string& family, const std::string& version, const std::string& env_id,
         const py::list& fields, uint32_t max_players);
  host::Library& library() const { return *library_; }
  // Describes an environment with these options.
  host::EnvSpec spec(const pp_env& env, const host::OptionValues& options) const;

  py::list env_ids() const;
  // {"id", "summary", "preferred_lanes", "options": [{"name", "kind", "default", "doc", "low",
  // "high", "choices"}], "reset_options": likewise}
  py::dict declaration(const std::string& env_id) const;
  // Describes an environment with these options, here or in a worker process; see spec_to_python.
  py::dict describe(const std::string& env_id, const py::dict& options, bool isolated) const;

 private:
  struct Python;
  host::Library* library_;          // never unloaded, so never freed; or part of python_
  std::shared_ptr<Python> python_;  // NULL for a library
};

}  // namespace pp::python
