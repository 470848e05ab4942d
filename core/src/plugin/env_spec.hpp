// The spec of an environment as a dict of Python's, and the way back.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "parallel_pool/host/plugin/options.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::python {

namespace py = pybind11;

// The spec that an environment of a library has with these options.
host::EnvSpec describe_env(const pp_env& env, const host::OptionValues& options);

// {"fields", "max_players", "max_episode_steps", "reward_threshold"}, see _core.pyi.
py::dict spec_to_python(const host::EnvSpec& spec);

// A spec of these fields of spec_to_python, checked as a library's description is.
host::EnvSpec spec_from_python(const py::list& fields, uint32_t max_players,
                               const std::string& env_id);

}  // namespace pp::python
