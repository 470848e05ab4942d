// The settings of a pool that Python decides, as one struct: parallel_pool._core.PoolConfig.
//
// Its members are those of host::PoolConfig, and what only Python has. Each is written once, by
// name; parallel_pool/config/arguments.py says which argument of make() goes where, what it may be
// and what it means.
#pragma once

#include <pybind11/pybind11.h>

#include "actions/action_policy.hpp"
#include "parallel_pool/host/config/pool_config.hpp"

namespace pp::python {

namespace py = pybind11;

struct PyPoolConfig {
  host::PoolConfig pool;
  ActionPolicy policy;
};

}  // namespace pp::python
