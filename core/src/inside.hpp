// Pictures and arrays from inside of environments, as numpy: the extensions "pp.render/1" and
// "pp.arrays/1".
#ifndef PARALLEL_POOL_SRC_INSIDE_HPP_
#define PARALLEL_POOL_SRC_INSIDE_HPP_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <functional>
#include <string>

#include "parallel_pool/host/pool.hpp"

namespace pp::python {

namespace py = pybind11;

// Does what may take long, without the GIL; a signal handler that raises ends it.
using Attend = std::function<void(const std::function<void()>&)>;

// All of them are called with the GIL, and throw host::Error: not_offered, reset_needed, access.

// One uint8 array of shape (height, width, 3) per environment.
py::list render(host::Pool& pool, const host::Pool::Hold& envs, const Attend& attend);

// name -> (dtype, shape, writable), as the first of the environments has them.
py::dict describe_arrays(host::Pool& pool, const host::Pool::Hold& envs, const Attend& attend);

// The array of this name, shape (environments, ...). All must have it in one shape.
py::array read_array(host::Pool& pool, const host::Pool::Hold& envs, const std::string& name,
                     const Attend& attend);

// Copies `values`, of shape (environments, ...) and any dtype that casts safely, into them. A value
// error changes nothing; an environment that refuses counts as failed.
void write_array(host::Pool& pool, const host::Pool::Hold& envs, const std::string& name,
                 const py::array& values, const Attend& attend);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_INSIDE_HPP_
