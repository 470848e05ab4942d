// A pool as a Python object: host::Pool with numpy at its edges.
#ifndef PARALLEL_POOL_SRC_POOL_POOL_OBJECT_HPP_
#define PARALLEL_POOL_SRC_POOL_POOL_OBJECT_HPP_

#include <pybind11/pybind11.h>

namespace pp::python {
void bind_pool(pybind11::module_& module);
}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_POOL_POOL_OBJECT_HPP_
