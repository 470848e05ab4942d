// The native part of the conformance kit (parallel_pool.testing): plugins between guard bytes, and
// built and destroyed many times.
#ifndef PARALLEL_POOL_SRC_CONFORMANCE_SHARD_CHECKER_HPP_
#define PARALLEL_POOL_SRC_CONFORMANCE_SHARD_CHECKER_HPP_

#include <pybind11/pybind11.h>

namespace pp::python {
void bind_shard_checker(pybind11::module_& module);
}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_CONFORMANCE_SHARD_CHECKER_HPP_
