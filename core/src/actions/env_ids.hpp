// Ids of environments as users give them.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "actions/action_values.hpp"

namespace pp::python {

namespace py = pybind11;

// Environment ids: None, an integer or a one-dimensional integer array-like. NULL for all in order;
// otherwise they are put into `storage`.
const uint32_t* parse_env_ids(py::handle env_id, uint32_t num_envs, std::vector<uint32_t>& storage,
                              uint32_t* n);
// Parses `count` numbers of any integer type, without Python.
const uint32_t* parse_env_ids(const RawArray& array, size_t count, uint32_t num_envs,
                              std::vector<uint32_t>& storage, uint32_t* n);

// Throws unless an array of this shape and dtype can name environments.
void expect_ids(const py::ssize_t* shape, size_t ndim, const py::dtype& dtype);

}  // namespace pp::python
