// What Python decides about a pool, as one struct: parallel_pool._core.PoolConfig.
//
// Its members are those of host::PoolConfig, and what only Python has. Each is written once, by
// name; parallel_pool/config/arguments.py says which argument of make() goes where, what it may be
// and what it means.
#ifndef PARALLEL_POOL_SRC_POOL_POOL_CONFIG_OBJECT_HPP_
#define PARALLEL_POOL_SRC_POOL_POOL_CONFIG_OBJECT_HPP_

#include <pybind11/pybind11.h>

#include "actions/action_policy.hpp"
#include "parallel_pool/host/config/pool_config.hpp"

namespace pp::python {

namespace py = pybind11;

struct PyPoolConfig {
  host::PoolConfig pool;
  ActionPolicy policy;
  int thread_affinity_offset = -1;  // in pool.placement as well
};

void bind_pool_config(py::module_& module);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_POOL_POOL_CONFIG_OBJECT_HPP_
