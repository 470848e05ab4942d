// Options of environments and of resets: what a library declares as dicts of Python's, and what
// Python gives as values of the library's.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "parallel_pool/abi.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/step/reset_options.hpp"

namespace pp::python {

namespace py = pybind11;

// [{"name", "kind", "default", "doc", "low", "high", "choices"}]
py::list options_to_python(const pp_option* const* declared, uint32_t count);

// Checked values for a declaration: int, float, bool, str or a float64 array per name.
std::unique_ptr<host::OptionValues> parse_options(const pp_env& env, const py::dict& options);
// The arguments of resets of `n` environments, which those check too: `options` is a dict for all
// of them, or a sequence with a dict or None for each. `extension` NULL: they take none, which is
// an error.
std::vector<host::ResetOptions::Values> parse_reset_options(const char* env_id,
                                                            const pp_reset_options* extension,
                                                            const py::object& options, uint32_t n);

// The options of several environments. Environments that are alike share one dict, which is parsed
// once.
class OptionsOfEnvs {
 public:
  OptionsOfEnvs(const pp_env& env, const std::vector<py::dict>& options);
  // With the environment of each; those with one dict are of one environment.
  OptionsOfEnvs(const std::vector<const pp_env*>& envs, const std::vector<py::dict>& options);
  // Returns them by environment.
  const std::vector<const host::OptionValues*>& values() const { return values_; }

 private:
  std::map<const PyObject*, std::unique_ptr<host::OptionValues>> parsed_;
  std::vector<const host::OptionValues*> values_;
};

}  // namespace pp::python
