// parallel_pool._core.ActionChecker: what pools check of actions and ids, without a pool.
#ifndef PARALLEL_POOL_SRC_POOL_ACTION_CHECKER_OBJECT_HPP_
#define PARALLEL_POOL_SRC_POOL_ACTION_CHECKER_OBJECT_HPP_

#include <pybind11/pybind11.h>

namespace pp::python {

void bind_action_checker(pybind11::module_& module);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_POOL_ACTION_CHECKER_OBJECT_HPP_
