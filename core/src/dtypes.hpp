// The dtypes of the ABI (PP_BOOL and so on), as numpy's.
#ifndef PARALLEL_POOL_SRC_DTYPES_HPP_
#define PARALLEL_POOL_SRC_DTYPES_HPP_

#include <pybind11/numpy.h>

#include <cstdint>

namespace pp::python {

// numpy's letter for the kind of a dtype: b, i, u or f. host::item_size has its bytes.
char kind_of(uint32_t dtype);
pybind11::dtype numpy_dtype(uint32_t dtype);

// `value` as an array; null if it is none. What is no Exception is raised: py::array::ensure would
// swallow an interrupt.
pybind11::array array_of(pybind11::handle value, int flags);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_DTYPES_HPP_
