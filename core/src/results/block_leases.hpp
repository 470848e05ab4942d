// Memory of results that is registered elsewhere, as CUDA has to know what it copies by itself.
#ifndef PARALLEL_POOL_SRC_RESULTS_BLOCK_LEASES_HPP_
#define PARALLEL_POOL_SRC_RESULTS_BLOCK_LEASES_HPP_

#include <pybind11/pybind11.h>

#include <cstdint>

#include "parallel_pool/host/batch/batch.hpp"

namespace pp::python {

// (where it begins, bytes, its lease) of the block that holds this address, which the caller keeps
// alive; None: no block of this store. The first time lend(begin, bytes) gives the lease, an object
// that is let go of before the block is freed, by the thread that frees it. With the lock.
pybind11::object leased_block(const host::BatchStore& store, uintptr_t address,
                              const pybind11::object& lend);

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_RESULTS_BLOCK_LEASES_HPP_
